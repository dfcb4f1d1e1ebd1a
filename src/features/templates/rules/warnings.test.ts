import { describe, expect, it } from 'vitest';
import { compileTemplate, type TemplateSource } from './compile.ts';
import { newBlock } from './document/new-block.ts';
import { renderDocument } from './document/render.ts';
import { templateDocument } from './document/schema.ts';
import { textFromHtml } from './html/text.ts';
import { knownFields } from './known-fields.ts';
import { warningsOf } from './warnings.ts';

const footer = '<p>Tea Ltd, 1 High St, York YO1 7HH <a href="{{ unsubscribe_link }}">Unsubscribe</a></p>';

function warn(given: Partial<TemplateSource>) {
  const source = { subject: '', preheader: '', html: '', text: '', ...given };
  return warningsOf(source, compileTemplate(source, knownFields(['Company size'])));
}

/** Key and place of the warnings of some HTML that has all it needs below. */
function about(html: string): string[] {
  return warn({ html: html + footer }).map(({ key, line, column }) => `${key} ${line}:${column}`);
}

it('a template with all that it needs has no warning', () => {
  expect(
    warn({
      subject: 'Your tea, {{ first_name | default: "friend" }}',
      html: `<p style="color:#333">{{ company_size }}</p><img src="a.png" alt="Tea">${footer}`,
      text: 'https://tea.example {{ unsubscribe_link }}',
    }),
  ).toEqual([]);
  expect(warn({})).toEqual([]);
});

describe('the footer', () => {
  it('misses what the law asks for', () => {
    expect(warn({ html: '<p>Hi</p>' }).map(({ key, words }) => [key, words])).toEqual([
      ['no_unsubscribe_link', 'There is no unsubscribe link. Link to {{ unsubscribe_link }} in the footer.'],
      ['no_postal_address', 'There is no postal address. Put {{ company_address }} in the footer.'],
    ]);
  });

  it('is not whole with an unsubscribe link that nobody can press, or an address nobody sees', () => {
    const html = '<p>{{ unsubscribe_link }}</p><!-- YO1 7HH --><p style="display:none">YO1 7HH</p>';
    expect(warn({ html }).map(({ key }) => key)).toEqual(['no_unsubscribe_link', 'no_postal_address']);
  });

  it.each(['<!-- LINK -->', '{% comment %}LINK{% endcomment %}', '{% raw %}LINK{% endraw %}'])(
    'is not whole with a link that nobody sees: %s',
    (around) => {
      const html = around.replace('LINK', '<a href="{{ unsubscribe_link }}">Stop</a>');
      expect(warn({ html: `${html}<p>YO1 7HH</p>` }).map(({ key }) => key)).toEqual(['no_unsubscribe_link']);
    },
  );

  it('may name the address by its field', () => {
    expect(warn({ html: '<a href="{{unsubscribe_link}}">x</a>{{ company_address }}' })).toEqual([]);
  });
});

describe('fields', () => {
  it('that nobody has are told with what was meant, or what everybody gets', () => {
    expect(
      warn({ text: '{{ frist_name }}\n{{ shoe_size }} {{ hat | default: "cap" }} {{ Company size }}' }).map(
        ({ words, line, column }) => [words, line, column],
      ),
    ).toEqual([
      ['No contact has the field “frist_name”. Did you mean “first_name”?', 1, 4],
      ['No contact has the field “shoe_size”. It stays empty.', 2, 4],
      ['No contact has the field “hat”. Everybody gets “cap”.', 2, 20],
    ]);
  });

  it('no list is endless', () => {
    expect(warn({ text: '{{ shoe_size }}'.repeat(1_000) })).toHaveLength(20);
  });
});

describe('images and links', () => {
  it.each([
    ['<p>\n<img src="a.png">', ['image_without_alt 2:1']],
    ['<img src="a.png" alt=""><img src="p.gif" width="1" height="1">', []],
    ['<a href="">x</a> <a href="#">y</a> <a>z</a>', ['empty_link 1:1', 'empty_link 1:18', 'empty_link 1:36']],
    ['<a name="top"></a><a href="mailto:a@b.example">x</a><a href="{{ shop_link }}">y</a>', []],
    ['<a href="http://a.example/{{ email }}">x</a>', ['insecure_link 1:1']],
    ['<p>\n<a href="www.acme.co.uk">x</a> <a href="/sale">y</a>', ['broken_link 2:1', 'broken_link 2:32']],
    ['<a href="htps://acme.co.uk">x</a><area href="jo@acme.co.uk">', ['broken_link 1:1', 'broken_link 1:34']],
    [
      '<a href="#top">x</a><a href="ht&#116;ps://a.example">y</a><a href="*|ARCHIVE|*">z</a>',
      ['mailchimp_tag 1:null'],
    ],
  ])('%s', (html, expected) => {
    expect(about(html)).toEqual(expected);
  });

  it('an address in words has no Liquid in it', () => {
    expect(warn({ html: `<a href="http://a.example/{{ email }}">x</a>${footer}` })[0]?.words).toBe(
      '“http://a.example/…” is not protected: use https.',
    );
  });
});

describe('contrast', () => {
  it.each([
    ['<p style="color:#999">x</p>', true],
    ['<p style="color:#757575">x</p>', false],
    ['<p style="color: RGB(153, 153, 153) !important">x</p>', true],
    ['<td bgcolor="#0B6E4F"><a href="https://a.example" style="color:#FFFFFF">x</a></td>', false],
    ['<td bgcolor="#FFFFFF"><font color="yellow">x</font></td>', true],
    ['<div style="background-color:#000"><p style="color:#333">x</p></div>', true],
    ['<div style="background:url(a.png) #000"><p style="color:#333">x</p></div>', false],
    ['<table background="a.png"><tr><td style="color:#eee">x</td></tr></table>', false],
    ['<table><tr><td style="background:#000">x<td style="color:#333">y</table>', false],
    ['<div style="background:#000"><p>a</div><p style="color:#333">x</p>', false],
    ['<p style="color:rgba(0,0,0,.1)">x</p>', false],
    ['<p style="color:{{ source }}">x</p>', false],
    ['<p style="color:#fff"> <img src="a" alt="b"> </p>', false],
    ['<p style="color:#fff;display:none">x</p>', false],
    ['<style>.b td{background:#0B6E4F}</style><table class=b><tr><td style="color:#fff">x</table>', false],
    ['<style>p.b, #c > i {background:#000}</style><p class="a b" style="color:#fff">x</p>', false],
    ['<style>p.b{background:#000}</style><p class="a" style="color:#fff">x</p>', true],
    ['<style>p.b{background:#000}</style><div class="b" style="color:#fff">x</div>', true],
    ['<style>@media (max-width:480px){p{background:#000}}</style><p style="color:#fff">x</p>', true],
    ['<style>@media print{i{top:0}} p{background:#000}</style><p style="color:#fff">x</p>', false],
    ['<style>p{padding:0}</style><p style="color:#fff">x</p>', true],
    ['<style>a:hover{background:#000}</style><a href="https://a.example" style="color:#fff">x</a>', true],
    ['<style>i{color:#000}</style><div style="color:#fff"><i>x</i></div>', false],
  ])('%s', (html, isLow) => {
    expect(about(html).map((warning) => warning.split(' ')[0])).toEqual(isLow ? ['low_contrast'] : []);
  });

  it('is told once for each pair of colours, with the words and the figure', () => {
    const html = `<p style="color:#999999">Shop {{ first_name }}</p><p style="color:#999999">again</p>${footer}`;
    expect(warn({ html })).toMatchObject([
      {
        words: '“Shop …” is hard to read: #999999 on #ffffff has a contrast of 2.8, and 4.5 is needed.',
        line: 1,
        column: 1,
      },
    ]);
  });
});

describe('size, words and subject', () => {
  it('Gmail clips what is longer than 102 kB', () => {
    const html = `${footer}<p>${'£'.repeat(52_300)}</p>`;
    expect(warn({ html })[0]).toMatchObject({
      key: 'too_large',
      words: expect.stringContaining('102.24 kB'),
    });
    expect(warn({ html: html.replace(/£{200}/, '') })).toEqual([]);
  });

  it.each([
    ['LAST CHANCE: SALE', 1],
    ['Sale!!! Now', 1],
    ['Really?!', 1],
    ['RSPB news for {{ FIRST_NAME_IN_CAPITALS | upcase }}', 0],
    ['NHS UK', 0],
    ['A new season', 0],
  ])('%s', (subject, count) => {
    expect(warn({ subject }).filter(({ key }) => key === 'shouting_subject')).toHaveLength(count);
  });

  it('filler text and tags of Mailchimp are found in every part', () => {
    expect(warn({ subject: '*|FNAME|*', text: 'x\nLorem  ipsum *|RSSITEM:TITLE|*' })).toMatchObject([
      { key: 'placeholder_text', part: 'text', line: 2, column: 1 },
      { key: 'mailchimp_tag', part: 'subject', line: 1 },
      { key: 'mailchimp_tag', part: 'text', line: 2, words: expect.stringContaining('*|RSSITEM:TITLE|*') },
    ]);
  });

  it('what a new block says is found where nothing else was written', async () => {
    let made = 0;
    const newId = () => `b${++made}`;
    const blocks = (['heading', 'text', 'product'] as const).map((type) => newBlock(type, { newId }));
    const html = await renderDocument(templateDocument.parse({ version: 1, blocks }));
    const leftIn = (given: Partial<TemplateSource>) =>
      warn(given).flatMap(({ key, words, part }) =>
        key === 'placeholder_text' ? [`${part}: ${words}`] : [],
      );
    const all = ['Write your text here.', 'A heading', 'Name of the product'].map(
      (what) => `“${what}” was left in.`,
    );
    expect(leftIn({ html })).toEqual(all.map((words) => `html: ${words}`));
    expect(leftIn({ text: textFromHtml(html) })).toEqual(all.map((words) => `text: ${words}`));
    expect(warn({ html: `<h2>\n  A heading</h2>${footer}` })).toMatchObject([{ line: 2, column: 3 }]);
    expect(leftIn({ html: '<p>A heading for Leeds</p>', text: 'Is this a heading\nof ours?' })).toEqual([]);
  });
});

it('are found quickly in anything', () => {
  const before = process.cpuUsage();
  for (const piece of [
    '<div>',
    '<td style="color:#999">x',
    '</p>',
    '<a href>',
    '<p style="',
    'lorem ',
    'a heading ',
    '>     ',
    '*|A',
    '<img>',
    '{{ a }}',
  ])
    warn({ html: piece.repeat(1_000) });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(10);
});
