import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
  owner = await signUp(test.app, { name: 'Priya Shah' });
});
afterAll(() => test.close());

async function call(method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) {
  const headers = { cookie: owner.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}
const named = { name: 'Autumn news', category: 'newsletter' };
const post = (body: object) => call('POST', '/api/templates', { ...named, ...body });
const preview = async (body: object) => (await call('POST', '/api/templates/preview', body)).body;
const turn = (body: object) => call('POST', '/api/templates/switch', body);
async function saved(body: object) {
  const answer = await post(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}
/** As it is stored, without what is said of it. */
async function made(body: object) {
  const { problems: _problems, warnings: _warnings, ...stored } = await saved(body);
  return stored;
}

const mjmlOf = (text: string) =>
  `<mjml>\n<mj-body>\n<mj-section><mj-column>\n<mj-text>${text}</mj-text>\n</mj-column></mj-section>\n</mj-body>\n</mjml>`;
const documentOf = (...blocks: object[]) => ({
  version: 1,
  blocks: [...blocks, { id: 'footer', type: 'footer' }],
});
const words = (html: string, id = 'words') => ({ id, type: 'text', html });

describe('MJML', () => {
  it('is kept with the HTML that is made of it, through every call', async () => {
    const mjml = mjmlOf('Hello {{ first_name | default: "friend" }}');
    const one = await made({ mjml });
    expect(one).toMatchObject({ mode: 'mjml', mjml, document: null, textContent: null });
    expect(one.htmlContent).toContain('Hello {{ first_name | default: "friend" }}');
    expect(one.htmlContent).toContain('<!--[if mso | IE]><table');
    const at = `/api/templates/${one.id}`;
    expect((await call('GET', at)).body).toEqual(one);
    const changed = (await call('PATCH', at, { mjml: mjmlOf('Later') })).body;
    expect(changed).toMatchObject({ mode: 'mjml', mjml: mjmlOf('Later'), version: 2 });
    expect(changed.htmlContent).toContain('Later');
    expect((await call('GET', `${at}/versions/1`)).body).toMatchObject({
      mjml,
      htmlContent: one.htmlContent,
    });
    expect((await call('POST', `${at}/versions/1/restore`, {})).body).toMatchObject({ mjml, mode: 'mjml' });
    expect((await call('POST', `${at}/duplicate`)).body).toMatchObject({ mjml, mode: 'mjml' });
    expect((await call('GET', '/api/templates')).body.items[0]).toMatchObject({ mjml, document: null });
    expect((await call('GET', '/api/templates?content=false')).body.items[0]).not.toHaveProperty('mjml');
  });

  it.each([
    ['<mjml>\n<mj-body>\n<mj-foo></mj-foo></mj-body></mjml>', /^Line 3: .*mj-foo/],
    [mjmlOf('x').replace('<mj-text>', '<mj-text colour="red">'), /^Line 4: .*colour/],
    [`<mjml><mj-body>\n\n<mj-include path="/etc/passwd" /></mj-body></mjml>`, /^Line 3: <mj-include> is not/],
    [mjmlOf('<mj-include path="x" />'), /^Line 4: <mj-include> is not allowed/],
    ['<mjml><mj-body>\n<mj-section>', /^Line 1: <mjml> has no end|has no end/],
    ['hello', /^This is not MJML/],
    ['<html><body>x</body></html>', /^This is not MJML/],
    [`<mjml><mj-body>\n{% if vip %}${'\n'}</mj-body></mjml>`, /^Line 2: \{% if vip %\} stands where/],
    ['<mj-wrapper>'.repeat(1_000), /inside each other/],
    [`<mjml><mj-body>${'<mj-section></mj-section>'.repeat(3_001)}</mj-body></mjml>`, /more than 3,000/],
    ['x'.repeat(500_001), /^The MJML is larger than 500 kB/],
    ['<__proto__ a="1"></__proto__>', /./],
  ])('that is wrong is answered with line and words: %#', async (mjml, message) => {
    const { status, body } = await post({ mjml });
    expect(status).toBe(400);
    expect(body.fields.mjml).toMatch(message);
  });

  it('names the lines of the source where Liquid has several', async () => {
    const { body } = await post({
      mjml: mjmlOf('{{\nfirst_name\n}}').replace('</mj-body>', '<mj-foo/>\n</mj-body>'),
    });
    expect(body.fields.mjml).toMatch(/^Line 8: .*mj-foo/);
  });

  it('holds nothing that runs, and says so', async () => {
    const mjml = mjmlOf('<script>alert(1)</script><b onclick="x()">Hi</b>');
    const one = await made({ mjml });
    expect(one.htmlContent).toContain('<b>Hi</b>');
    expect(one.htmlContent).not.toMatch(/<script|onclick/);
    const { warnings } = await preview({ mjml });
    const said = warnings.map((warning: { words: string }) => warning.words).join();
    expect(said).toContain('A mail cannot hold a script');
    expect(said).toContain('an event handler');
  });

  it('fetches no fonts that nobody asked for', async () => {
    const one = await made({ mjml: mjmlOf('Hi').replace('<mj-text>', '<mj-text font-family="Roboto">') });
    expect(one.htmlContent).not.toMatch(/fonts\.googleapis|@import/);
  });

  it('is previewed with all faults at once, and unknown fields at their lines', async () => {
    const bad = mjmlOf('{{ frist_name }}').replace('</mj-body>', '<mj-foo/><mj-bar/></mj-body>');
    const { problems, warnings } = await preview({ mjml: bad });
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatchObject({ part: 'mjml', line: 6, block: null });
    expect(warnings).toContainEqual(
      expect.objectContaining({ part: 'mjml', line: 4, words: expect.stringContaining('“first_name”') }),
    );
    const good = await preview({ mjml: mjmlOf('Hello {{ first_name }}') });
    expect(good.problems).toEqual([]);
    expect(good.html).toContain('Hello Priya');
    expect(good.text).toContain('Hello Priya');
  });

  it('that would work for long is stopped, and the next one is made', async () => {
    const styles = Array.from({ length: 2_000 }, (_, n) => `div:not(.a${n}) > p:not(.b${n}) b{color:red}`);
    const head = `<mj-head><mj-style inline="inline">${styles.join('')}</mj-style></mj-head>`;
    const long = mjmlOf('<p><b>x</b></p>'.repeat(10_000)).replace('<mj-body>', `${head}<mj-body>`);
    const { status, body } = await post({ mjml: long });
    expect(status).toBe(400);
    expect(body.message).toMatch(/takes too long/);
    await made({ mjml: mjmlOf('Hi') });
  }, 60_000);
});

describe('a document', () => {
  it('is kept with the HTML that is made of it, in its whole form', async () => {
    const one = await made({ document: documentOf(words('<p>Tea {{ first_name }}</p>')) });
    expect(one).toMatchObject({ mode: 'visual', mjml: null, textContent: null });
    expect(one.document.look).toMatchObject({ font: 'Arial', corner: 6 });
    expect(one.document.blocks[0]).toMatchObject({ ...words('<p>Tea {{ first_name }}</p>'), align: 'left' });
    expect(one.htmlContent).toContain('Tea {{ first_name }}');
    const at = `/api/templates/${one.id}`;
    expect((await call('GET', at)).body).toEqual(one);
    // The same again is no version.
    expect((await call('PATCH', at, { document: one.document })).body.version).toBe(1);
    const changed = (await call('PATCH', at, { document: documentOf(words('Coffee')) })).body;
    expect(changed.htmlContent).toContain('Coffee');
    expect((await call('POST', `${at}/versions/1/restore`, {})).body.document).toEqual(one.document);
    expect((await call('POST', `${at}/duplicate`)).body.document).toEqual(one.document);
  });

  it.each([
    [{ version: 2, blocks: [] }, /./],
    [documentOf({ id: 'x', type: 'script' }), /./],
    [documentOf({ ...words('Hi'), onclick: 'x' }), /./],
    [{ version: 1, blocks: Array.from({ length: 201 }, () => words('x')) }, /./],
    [
      {
        version: 1,
        blocks: Array.from({ length: 20 }, () => ({
          id: 'c',
          type: 'columns',
          columns: [Array(30).fill(words('x'))],
        })),
      },
      /at most 500 blocks/,
    ],
    [documentOf(...Array.from({ length: 11 }, () => words('x'.repeat(49_000)))), /larger than 500 kB/],
    [{ version: 1, blocks: [words('Hi')] }, /^Nobody could unsubscribe/],
  ])('that is wrong is refused: %#', async (document, message) => {
    const { status, body } = await post({ document });
    expect(status).toBe(400);
    expect(Object.keys(body.fields).join()).toMatch(/^document/);
    expect(Object.values(body.fields).join()).toMatch(message);
  });

  it('reaches no prototypes', async () => {
    for (const name of ['__proto__', 'constructor'])
      expect((await post({ document: JSON.parse(`{"version":1,"blocks":[],"${name}":{}}`) })).status).toBe(
        400,
      );
  });

  it('needs no footer where another link lets people unsubscribe', async () => {
    const link = words('<a href="{{ unsubscribe_link }}">Stop</a>');
    expect((await made({ document: { version: 1, blocks: [link] } })).mode).toBe('visual');
  });

  it('is previewed with its merge fields, block by block', async () => {
    const { html, text, problems, warnings } = await preview({
      document: documentOf(
        words('{{ frist_name }}', 'a'),
        words('{% if vip %}Hi', 'b'),
        words('Dear {{ first_name }}', 'c'),
      ),
    });
    expect(problems).toEqual([expect.objectContaining({ part: 'document', block: 'b', line: null })]);
    expect(warnings).toContainEqual(
      expect.objectContaining({ block: 'a', words: expect.stringContaining('“first_name”') }),
    );
    expect(html).toContain('Dear {{ first_name }}');
    const good = await preview({ document: documentOf(words('Dear {{ first_name }}')) });
    expect(good).toMatchObject({ problems: [], warnings: [] });
    expect(good.html).toContain('Dear Priya');
    expect(good.text).toContain('Dear Priya');
    expect(text).toBeTypeOf('string');
  });
});

describe('modes', () => {
  it('are switched without loss from blocks to MJML to HTML', async () => {
    const one = await made({
      document: documentOf(words('<p>Tea &amp; “cake” {{ first_name | default: "you" }}</p>')),
    });
    const mjml = (await turn({ document: one.document, to: 'mjml' })).body;
    expect(mjml).toMatchObject({ mode: 'mjml', isLossless: true, words: null, htmlContent: one.htmlContent });
    const html = (await turn({ mjml: mjml.mjml, to: 'html' })).body;
    expect(html).toMatchObject({ mode: 'html', isLossless: true, mjml: null, htmlContent: one.htmlContent });
    expect((await turn({ document: one.document, to: 'visual' })).body.document).toEqual(one.document);
  });

  it('become one block of HTML on the way back, and say so', async () => {
    const htmlContent =
      '<html><head><style>.a{color:red}</style></head><body><p class="a">Hi</p></body></html>';
    const { body } = await turn({ htmlContent, to: 'visual' });
    expect(body).toMatchObject({ mode: 'visual', isLossless: false });
    expect(body.words).toContain('one block of HTML');
    expect(body.document.blocks).toEqual([{ id: 'html', type: 'html', html: '<p class="a">Hi</p>' }]);
    const mjml = (await turn({ htmlContent, to: 'mjml' })).body;
    expect(mjml.htmlContent).toContain('.a{color:red}');
    expect(mjml.htmlContent).toContain('<p class="a">Hi</p>');
    expect((await turn({ htmlContent: 'x'.repeat(200_001), to: 'visual' })).status).toBe(400);
  });

  it('are changed only on purpose', async () => {
    const one = await made({ document: documentOf(words('Tea')) });
    const at = `/api/templates/${one.id}`;
    const refused = await call('PATCH', at, { htmlContent: '<p>Mine</p>' });
    expect(refused.status).toBe(400);
    expect(refused.body.fields.htmlContent).toContain('written in the visual editor');
    // A form that knows only HTML changes the name.
    const renamed = await call('PATCH', at, { name: 'Winter', htmlContent: one.htmlContent });
    expect(renamed.body).toMatchObject({ name: 'Winter', mode: 'visual', document: one.document });
    const turned = await call('PATCH', at, { mode: 'mjml' });
    expect(turned.body).toMatchObject({ mode: 'mjml', htmlContent: one.htmlContent, version: 3 });
    expect(turned.body.mjml).toContain('<mj-section');
    const html = await call('PATCH', at, { mode: 'html' });
    expect(html.body).toMatchObject({ mode: 'html', mjml: null, htmlContent: one.htmlContent });
    const own = await call('PATCH', at, { mode: 'html', htmlContent: '<p>Mine</p>' });
    expect(own.body.htmlContent).toBe('<p>Mine</p>');
    expect((await call('PATCH', at, { mode: 'visual' })).body.fields.document).toContain('unsubscribe');
  });

  it.each([
    [{ mode: 'html', mjml: mjmlOf('x') }, 'mjml'],
    [{ mode: 'visual', htmlContent: 'x' }, 'document'],
    [{ htmlContent: 'x', mjml: mjmlOf('x') }, 'mjml'],
    [{}, 'htmlContent'],
  ])('hold one kind of content: %#', async (body, field) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toHaveProperty([field]);
    expect((await call('POST', '/api/templates/preview', body)).status).toBe(400);
  });
});

describe('what is said of a template when it is saved', () => {
  type Said = { words: string; part: string; line: number | null; block: string | null };
  const footer = '<p>{{ company_address }} <a href="{{ unsubscribe_link }}">Stop</a></p>';

  it.each([
    ['an unknown filter', '{{ first_name | shuot }}', /shuot/],
    ['a tag without an end', '{% if first_name %}Hi', /if/],
    ['a tag that does not exist', '{% render "x" %}', /render/],
    ['braces without an end', '{{ first_name', /./],
  ])('names %s with its place, and it is stored as it is written', async (_, liquid, words) => {
    const html = await saved({ htmlContent: `${footer}\n${liquid}` });
    expect(html.problems).toMatchObject([{ part: 'html', line: 2 }]);
    expect(html.problems[0].words).toMatch(words);
    const text = await saved({ htmlContent: footer, textContent: `Hello\n${liquid}` });
    expect(text.problems).toMatchObject([{ part: 'text', line: 2 }]);
    const document = await saved({ document: documentOf(words_(liquid)) });
    expect(document.problems).toMatchObject([{ part: 'document', block: 'words', line: null }]);
    for (const { id, ...one } of [html, text, document]) {
      const at = `/api/templates/${id}`;
      const { problems: _told, warnings: _more, ...stored } = one;
      expect((await call('GET', at)).body).toEqual({ id, ...stored });
      const renamed = (await call('PATCH', at, { name: 'Winter' })).body;
      expect(renamed.problems).toEqual(one.problems);
    }
  });
  const words_ = (liquid: string) => words(liquid.replaceAll('"', '&quot;'));

  it('is the same as in its preview, for each way of writing', async () => {
    const bodies = [
      { htmlContent: '<img src="https://x.uk/a.png"><a href="http://x.uk">{{ frist_name }}</a>' },
      { mjml: mjmlOf('{{ frist_name }}<script>x()</script>'), textContent: '{{ nobody }}' },
      { document: documentOf(words('{{ frist_name }}')) },
      { htmlContent: `${footer}{% for a in (1..10000) %}{% for b in (1..10000) %}x{% endfor %}{% endfor %}` },
    ];
    for (const body of bodies) {
      const { problems, warnings } = await preview(body);
      expect(problems.length + warnings.length).toBeGreaterThan(0);
      const one = await saved(body);
      expect(one).toMatchObject({ problems, warnings });
      const again = await call('PATCH', `/api/templates/${one.id}`, { ...body, name: 'Winter' });
      expect(again.body).toMatchObject({ problems, warnings });
    }
  });

  it('is nothing where nothing is wrong, and gone once it is put right', async () => {
    const { id, problems } = await saved({ htmlContent: `${footer}{{ first_name | shuot }}` });
    expect(problems).toHaveLength(1);
    const right = { htmlContent: `${footer}{{ first_name | upcase }}` };
    const { body } = await call('PATCH', `/api/templates/${id}`, { ...right, autosave: true });
    expect(body).toMatchObject({ problems: [], warnings: [] });
    const said: Said[] = (await saved(right)).warnings;
    expect(said).toEqual([]);
  });

  it('is refused as a whole where MJML makes no HTML of it', async () => {
    const { status, body } = await post({ mjml: mjmlOf('x').replace('<mj-text>', '<mj-text') });
    expect(status).toBe(400);
    expect(body.fields.mjml).toMatch(/./);
  });
});

it('cleans a large page away from other calls', async () => {
  const html = `<p>Dear *|FNAME|*</p>${'<div onclick="x()">words</div>'.repeat(20_000)}`;
  const { status, body } = await call('POST', '/api/templates/import', { html });
  expect(status).toBe(200);
  expect(body.htmlContent).toContain('{{ first_name');
  expect(body.leftOut).toEqual([expect.objectContaining({ what: 'an event handler', count: 20_000 })]);
}, 60_000);
