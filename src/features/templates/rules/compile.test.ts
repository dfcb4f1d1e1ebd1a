import fc from 'fast-check';
import { Liquid } from 'liquidjs';
import { describe, expect, it } from 'vitest';
import { compileTemplate, fill, type TemplateSource } from './compile.ts';
import type { MergeData } from './liquid/run.ts';

const empty: TemplateSource = { subject: '', preheader: '', html: '', text: '' };
const known = ['first_name', 'last_name', 'email', 'company_name', 'unsubscribe_link', 'attributes', 'shop'];

function compiled(source: Partial<TemplateSource>) {
  return compileTemplate({ ...empty, ...source }, known);
}

function textFor(text: string, data: MergeData = {}): string {
  return fill(compiled({ text }), data).text;
}

function htmlFor(html: string, data: MergeData = {}): string {
  return fill(compiled({ html }), data).html;
}

function problemsOf(text: string): string[] {
  return compiled({ text }).problems.map(({ line, column, words }) => `${line}:${column} ${words}`);
}

describe('filling a template', () => {
  it('fills every part, and escapes in HTML only', () => {
    const template = compiled({
      subject: 'For {{ first_name }}',
      preheader: '{{ first_name }}, look',
      html: '<body><p>{{ first_name }}</p>',
      text: 'Dear {{ first_name }}',
    });
    expect(fill(template, { first_name: 'Ann & <Bo>' })).toEqual({
      subject: 'For Ann & <Bo>',
      preheader: 'Ann & <Bo>, look',
      html: expect.stringMatching(
        /^<body><div style="display:none;[^"]*">Ann &amp; &lt;Bo&gt;, look(&#847;&zwnj;&nbsp;)+<\/div><p>Ann &amp; &lt;Bo&gt;<\/p>$/,
      ),
      text: 'Dear Ann & <Bo>',
    });
  });

  it('keeps the subject on one line, so that a name cannot add a header', () => {
    const { subject, preheader } = fill(
      compiled({ subject: 'Hi {{ first_name }}', preheader: '{{ first_name }}' }),
      {
        first_name: 'Ann\r\nBcc: all@example.com\u0000',
      },
    );
    expect([subject, preheader]).toEqual(['Hi Ann Bcc: all@example.com', 'Ann Bcc: all@example.com']);
  });

  it.each([
    ['Dear {{ first_name | default: "there" }}', 'Dear there'],
    ['{{ nobody }}{{ nobody.at.all }}{{ attributes.none }}', ''],
    ['{{ attributes["Company size"] }} {{ attributes.city }}', '12 Leeds'],
    ['{% if attributes["Company size"] == 12 %}yes{% endif %}', 'yes'],
    ['{% if attributes["Company size"] > 9 %}yes{% endif %}', 'yes'],
    ['{% unless first_name %}none{% else %}some{% endunless %}', 'none'],
    ['{% case attributes.city %}{% when "York", "Leeds" %}north{% else %}south{% endcase %}', 'north'],
    ['{% for n in (1..3) %}{{ n }}{% unless forloop.last %}, {% endunless %}{% endfor %}', '1, 2, 3'],
    ['{% for n in (1..9) offset: 2 limit: 3 reversed %}{{ n }}{% endfor %}', '543'],
    [
      '{% for n in (1..9) %}{% if n == 2 %}{% continue %}{% endif %}{% if n == 4 %}{% break %}{% endif %}{{ n }}{% endfor %}',
      '13',
    ],
    ['{% for n in nobody %}x{% else %}nothing{% endfor %}', 'nothing'],
    ['{% assign shop = "Baker" %}{{ shop | upcase }}', 'BAKER'],
    ['{%- if true -%}  a  {%- endif -%}', 'a'],
    ['{% raw %}{{ first_name }}{% endraw %}{% comment %}x{% endcomment %}{% # note %}', '{{ first_name }}'],
    ['{{ "2026-11-22" | date: "%-d %B %Y" }}', '22 November 2026'],
    ['{{ "03/04/2026" | date: "%-d %B" }}', '3 April'],
    ['{{ "now" | date: "%Y" }}', '2026'],
    ['{{ "%" | url_decode }}', '%'],
    ['{% if first_name == blank %}b{% endif %}{% if attributes.city contains "eed" %}c{% endif %}', 'bc'],
  ])('%s', (text, expected) => {
    const data = {
      first_name: null,
      attributes: { 'Company size': '12', city: 'Leeds' },
      now: '2026-11-22T21:00:00Z',
    };
    expect(textFor(text, data)).toBe(expected);
  });

  it('writes captured HTML as HTML, and the values in it escaped', () => {
    const html = '{% capture name %}<b>{{ first_name }}</b>{% endcapture %}<p>{{ name }}</p>';
    expect(htmlFor(html, { first_name: '<Ann>' })).toBe('<p><b>&lt;Ann&gt;</b></p>');
  });

  it('breaks lines by filter and escapes nothing twice', () => {
    expect(htmlFor('{{ x | newline_to_br }} {{ x | escape }}', { x: 'a\n<b>' })).toBe(
      'a<br />\n&lt;b&gt; a\n&lt;b&gt;',
    );
  });

  it('fills the same whatever was filled before', () => {
    const template = compiled({ text: '{% if first_name %}{% assign x = 1 %}{% endif %}{{ x }}' });
    expect(fill(template, { first_name: 'Ann' }).text).toBe('1');
    expect(fill(template, {}).text).toBe('');
  });
});

describe('links', () => {
  const html =
    '<a href="https://a.example/?a=1&amp;b={{ first_name }}">x</a><img src="{{ logo }}">' +
    `<a href='{% if first_name %}{{ unsubscribe_link }}{% else %}mailto:a@b.example{% endif %}'>y</a>`;

  it('are listed with their place, of the HTML and of the text', () => {
    const { links } = compiled({ html, text: 'See\nhttps://a.example/{{ first_name }}. Bye' });
    expect(links).toMatchObject([
      { part: 'html', index: 0, url: 'https://a.example/?a=1&amp;b={{ first_name }}', line: 1, column: 10 },
      { part: 'html', index: 1, url: expect.stringContaining('unsubscribe_link') },
      { part: 'text', index: 0, url: 'https://a.example/{{ first_name }}', line: 2, column: 1 },
    ]);
  });

  it('can be given another address for each recipient', () => {
    const template = compiled({ html, text: 'See https://a.example/{{ first_name }}.' });
    const seen: unknown[] = [];
    const filled = fill(
      template,
      { first_name: 'A&B', unsubscribe_link: 'https://u.example/1' },
      (...link) => {
        seen.push(link);
        return `https://t.example/${link[2]}?"&`;
      },
    );
    expect(seen).toEqual([
      ['html', 'https://a.example/?a=1&b=A&B', 0],
      ['html', 'https://u.example/1', 1],
      ['text', 'https://a.example/A&B', 0],
    ]);
    expect(filled.html).toBe(
      '<a href="https://t.example/0?&#34;&amp;">x</a><img src="">' +
        `<a href='https://t.example/1?&#34;&amp;'>y</a>`,
    );
    expect(filled.text).toBe('See https://t.example/0?"&.');
  });

  it.each([
    'javascript:alert(1)',
    ' JaVa\tScript:alert(1)',
    '\u0001javascript:x',
    'data:text/html,x',
    'vbscript:x',
  ])('leave out %j where a contact holds it', (url) => {
    expect(htmlFor('<a href="{{ shop }}">x</a><img src="{{ shop }}">', { shop: url })).toBe(
      '<a href="">x</a><img src="">',
    );
    expect(htmlFor('<a href="{% if shop %}{{ shop }}{% endif %}">x</a>', { shop: url })).toBe(
      '<a href="">x</a>',
    );
  });

  it('leave out what a template and a contact make together', () => {
    expect(htmlFor('<a href="javascript&colon;{{ shop }}">x</a>', { shop: 'x' })).toBe('<a href="">x</a>');
    expect(htmlFor('<a href="{{ shop }}script:x">x</a>', { shop: 'java' })).toBe('<a href="">x</a>');
  });

  it('keep a value inside its quotes, and refuse one without quotes', () => {
    const data = { first_name: `" onclick='x' x="` };
    expect(htmlFor('<a title="{{ first_name }}" href="https://a.example">x</a>', data)).not.toContain('"x=');
    expect(htmlFor('<a title="{{ first_name }}">x</a>', data)).toBe(
      '<a title="&#34; onclick=&#39;x&#39; x=&#34;">x</a>',
    );
    for (const html of [
      '<a href={{ shop }}>x</a>',
      '<a {{ shop }}>x</a>',
      '<{{ shop }}>',
      '<p class=a{{ shop }}>',
    ])
      expect(compiled({ html }).problems.map(({ key }) => key)).toEqual(
        html.startsWith('<{') ? [] : ['unquoted'],
      );
    expect(htmlFor('<{{ shop }}>', { shop: 'script' })).toBe('<script>');
  });
});

describe('merge fields', () => {
  it('are found with place, fallback, and what was meant', () => {
    const { fields } = compiled({
      html: '<p>\n{{ first_name | default: "there" }} {{ frist_name }}\n{% if Email %}{{ attributes.City }}{% endif %}',
    });
    expect(fields).toMatchObject([
      { name: 'first_name', part: 'html', line: 2, column: 4, fallback: 'there', isKnown: true, meant: null },
      { name: 'frist_name', line: 2, fallback: null, isKnown: false, meant: 'first_name' },
      { name: 'Email', line: 3, isKnown: false, meant: 'email' },
      { name: 'attributes.City', isKnown: true },
    ]);
  });

  it('do not include what the template names itself', () => {
    const text =
      '{% assign a = first_name %}{% capture b %}x{% endcapture %}{% for c in attributes.list %}{{ a }}{{ b }}{{ c.x }}{{ forloop.index }}{% endfor %}';
    expect(compiled({ text }).fields.map(({ name }) => name)).toEqual(['first_name', 'attributes.list']);
  });
});

describe('what is badly written', () => {
  it.each([
    ['Hi {{ first_name }', '1:4 “{{ first_name }” is never closed: {{ needs }}.'],
    ['a\n{% if first_name %}x', '2:1 “{% if first_name %}” is never closed: add {% endif %}.'],
    ['{% endif %}', '1:1 There is no {% if %} before this {% endif %}.'],
    ['{% fi x %}', '1:1 There is no tag “fi”.'],
    ['{% unles x %}', '1:1 There is no tag “unles”. Did you mean “unless”?'],
    ['{{ first_name | upcse }}', '1:1 There is no filter “upcse”. Did you mean “upcase”?'],
    [
      '{{ First Name }}',
      '1:4 “First Name” cannot be read as one field or one condition. Did you mean “first_name”?',
    ],
    ['{{ first_name | default }}', '1:4 “default” needs a value: default: "…"'],
    ['{{ }}', '1:4 “{{ }}” cannot be read.'],
    ['{% if a = b %}x{% endif %}', '1:10 “{% if a = b %}” cannot be read.'],
    ['{% raw %}x', '1:10 {% raw %} is never closed: add {% endraw %}.'],
  ])('%s', (text, expected) => {
    expect(problemsOf(text)).toEqual([expected]);
  });

  it('is all told at once', () => {
    expect(problemsOf('{{ a | x }}\n{% wat %}\n{{ b | y }}')).toHaveLength(3);
  });

  it('is never filled', () => {
    expect(() => textFor('{{ a | x }}')).toThrow('There is no filter “x”.');
  });
});

describe('a hostile template', () => {
  const within = (milliseconds: number, run: () => void): void => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(milliseconds);
  };

  it.each(['include "x"', 'render "x"', 'layout "x"', 'block x'])('cannot open a file: {%% %s %%}', (tag) => {
    expect(problemsOf(`{% ${tag} %}`)).toEqual([
      `1:1 Templates cannot include other files: remove {% ${tag.split(' ')[0]} %}.`,
    ]);
  });

  it.each(['liquid', 'echo "x"', 'tablerow a in b', 'cycle "a"', 'increment x'])('has no tag %s', (tag) => {
    expect(compiled({ text: `{% ${tag} %}` }).problems[0]?.key).toBe('unknown_tag');
  });

  it.each([
    'constructor',
    '__proto__',
    'first_name.constructor',
    'attributes.__proto__.x',
    'attributes["constructor"]',
    'x.toString',
  ])('cannot reach %s', (name) => {
    expect(compiled({ text: `{{ ${name} }}` }).problems[0]).toMatchObject({ key: 'forbidden_field' });
    expect(compiled({ text: `{% if ${name} %}x{% endif %}` }).problems[0]?.key).toBe('forbidden_field');
  });

  it('cannot reach them by a computed name', () => {
    const text =
      '{% assign a = "const" | append: "ructor" %}[{{ first_name[a] }}{{ attributes[a] }}{{ attributes[a][a] }}{{ [a] }}]';
    expect(textFor(text, { first_name: 'Ann', attributes: {} })).toBe('[]');
  });

  it('cannot run a function in the data', () => {
    expect(textFor('[{{ f }}{{ a.f }}]', { f: () => 'run', a: { f: () => 'run' } })).toBe('[]');
  });

  it.each([
    ['{% for a in (1..1000000000) %}x{% endfor %}', 'more than 10,000 items'],
    [
      '{% for a in (1..9999) %}{% for b in (1..9999) %}{% for c in (1..9999) %}x{% endfor %}{% endfor %}{% endfor %}',
      'too much work',
    ],
    [`{% assign a = "xxxxxxxxxx" %}${'{% assign a = a | append: a %}'.repeat(40)}{{ a }}`, 'too much work'],
    [
      `{% assign a = "x" %}${'{% assign a = a | replace: "x", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" %}'.repeat(40)}{{ a }}`,
      'too much work',
    ],
    [
      `{% capture a %}xxxxxxxxxx{% endcapture %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(40)}`,
      'too much work',
    ],
    ['{{ "now" | date: "%1000000000d" }}', 'too wide'],
    ['{% for a in (1..9999) %}{{ "2026-01-01" | date: "%c" }}{% endfor %}', 'too much work'],
    [
      '{% assign a = "x" | split: "" %}{% for i in (1..9999) %}{% assign a = big | split: "" %}{% endfor %}',
      'more than 10,000 items',
    ],
    [
      '{% assign x = nobody | default: big %}{% for i in (1..9999) %}{{ x | truncatewords: 3 }}{% endfor %}',
      'too much work',
    ],
  ])('is stopped within a second: %s', (text, expected) => {
    const template = compiled({ text });
    expect(template.problems).toEqual([]);
    within(1_000, () =>
      expect(() => fill(template, { now: '2026-01-01', big: 'x '.repeat(6_000) })).toThrow(expected),
    );
  });

  it.each(['text', 'html'])('is stopped when its %s writes much more than an email', (part) => {
    const template = compiled({ [part]: '{{ big }}'.repeat(5_000) });
    expect(() => fill(template, { big: 'x'.repeat(10_000) })).toThrow('too much work');
    expect(() => fill(template, { big: 'x'.repeat(700) })).not.toThrow();
  });

  it.each([
    ['too_deep', '{% if a %}'.repeat(1_000) + '{% endif %}'.repeat(1_000)],
    ['too_many_tags', '{{ a }}'.repeat(100_000)],
    ['too_long', 'x'.repeat(1_000_001)],
    ['not_closed', '{{ "'.repeat(200_000)],
    ['not_closed', '{% raw %}'.repeat(100_000)],
    ['too_deep', `{{ ${'a.'.repeat(100_000)}a }}`],
    ['too_deep', `{{ a ${'| upcase '.repeat(100_000)} }}`],
    ['too_deep', `{% if ${'a and '.repeat(100_000)} a %}{% endif %}`],
  ])('is refused within a second: %s', (key, text) => {
    within(1_000, () => expect(compiled({ text, html: text }).problems[0]?.key).toBe(key));
  });

  it('is read within a second when it is as large as allowed', () => {
    within(2_000, () => {
      expect(
        compiled({ html: `${'<a href="{{ a }}">x</a>'.repeat(4_999)}${' '.repeat(500_000)}` }).problems,
      ).toEqual([]);
      expect(compiled({ html: '<a href='.repeat(100_000) }).problems).toEqual([]);
      expect(compiled({ text: 'http://'.repeat(100_000) }).problems).toEqual([]);
      expect(compiled({ text: `https://a.example/${'.'.repeat(200_000)}x` }).problems).toEqual([]);
      expect(compiled({ text: `{% # a${'\n'.repeat(200_000)}# b %}` }).problems).toEqual([]);
    });
  });
});

describe('beside liquidjs', () => {
  const oracle = new Liquid({ ownPropertyOnly: true, strictFilters: true, timezoneOffset: 'Europe/London' });
  const name = fc.constantFrom('a', 'b', 'c', 'd.x', 'd.y', 'e', 'nobody');
  const text = fc.constantFrom('', 'x', 'Ann', ' two words ', '1x', "o'n", 'é');
  const literal = fc.oneof(
    text.map((value) => JSON.stringify(value)),
    fc.constantFrom('1', '2.5', 'true', 'nil', 'blank', 'empty'),
  );
  const operand = fc.oneof(name, literal);
  const filter = fc.constantFrom(
    '',
    ' | upcase',
    ' | downcase | capitalize',
    ' | default: "d"',
    ' | append: "z" | prepend: "y"',
    ' | strip | size',
    ' | replace: "n", "m"',
    ' | truncate: 3',
    ' | split: " " | first',
    ' | split: "" | reverse | join: "-"',
    ' | slice: 1, 2',
    ' | url_encode',
    ' | plus: 2 | times: 3',
    ' | default: b | remove: "n"',
  );
  // What is meant otherwise here is left out: a text that is a number is equal to it, and only
  // texts and numbers are more or less.
  const equality = fc
    .tuple(name, fc.constantFrom('==', '!=', 'contains'), operand)
    .filter(([, , other]) => !/^[12]/.test(other));
  const order = fc.tuple(
    fc.constantFrom('b', '"m"'),
    fc.constantFrom('<', '>='),
    fc.constantFrom('b', '"x"', '5'),
  );
  const condition = fc
    .tuple(fc.oneof(equality, order), fc.constantFrom('', ' and a', ' or b', ' and c == "x"'))
    .map(([test, more]) => test.join(' ') + more);
  const { template } = fc.letrec<{ template: string }>((tie) => ({
    template: fc
      .array(
        fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          fc.constantFrom('<p>', ' & ', '\n  text', '"', '</p>'),
          fc.tuple(operand, filter).map(([value, filters]) => `{{ ${value}${filters} }}`),
          fc
            .tuple(condition, tie('template'), tie('template'))
            .map(([test, one, other]) => `{% if ${test} %}${one}{%- else -%}${other}{% endif %}`),
          fc.tuple(name, tie('template')).map(([test, one]) => `{% unless ${test} %}${one}{% endunless %}`),
          fc
            .tuple(name, tie('template'))
            .map(([test, one]) => `{% case ${test} %}{% when "x", "Ann" %}${one}{% else %}-{% endcase %}`),
          fc
            .tuple(fc.constantFrom('(1..3)', 'list', 'a', 'nobody'), tie('template'))
            .map(
              ([of, one]) =>
                `{% for e in ${of} %}${one}{{ forloop.index }}{% if forloop.last %}.{% endif %}{% endfor %}`,
            ),
          fc.tuple(operand, filter).map(([value, filters]) => `{% assign c = ${value}${filters} %}`),
          tie('template').map((one) => `{% capture b %}${one}{% endcapture %}`),
        ),
        { maxLength: 5 },
      )
      .map((pieces) => pieces.join('')),
  }));
  const data = fc.record(
    {
      a: fc.oneof(text, fc.boolean()),
      b: text,
      c: text,
      d: fc.record({ x: text, y: text }, { requiredKeys: [] }),
      list: fc.array(text, { maxLength: 3 }),
    },
    { requiredKeys: [] },
  );

  it('fills random templates as liquidjs does', () => {
    fc.assert(
      fc.property(template, data, (text, values) => {
        expect(textFor(text, values)).toBe(oracle.parseAndRenderSync(text, values).trim());
      }),
      { numRuns: Number(process.env.TEST_TEMPLATES ?? 500) },
    );
  });
});
