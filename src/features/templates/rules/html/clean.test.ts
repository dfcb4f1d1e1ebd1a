import { readFileSync } from 'node:fs';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { compileTemplate, fill } from '../compile.ts';
import { elements } from './allowed.ts';
import { cleanHtml } from './clean.ts';

const cleaned = (html: string): string => cleanHtml(html).html;
const leftOut = (html: string): string[] => cleanHtml(html).leftOut.map(({ what }) => what);

interface Vectors {
  groups: { group: string; vectors: string[] }[];
}
const { groups } = JSON.parse(
  readFileSync(new URL('../../../../../test/fixtures/templates/xss-vectors.json', import.meta.url), 'utf8'),
) as Vectors;

/** As a contact of whom nothing is known gets it. What cannot be filled is sent to nobody. */
function filled(html: string): string {
  const template = compileTemplate({ subject: '', preheader: '', text: '', html });
  return template.problems.length > 0 ? '' : fill(template, {}).html;
}

/** What a browser would do something with, as the parser of the HTML standard reads it. */
function dangersIn(html: string): string[] {
  const dangers: string[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('tagName' in node) {
      if (!elements.has(node.tagName) && node.tagName !== 'tbody') dangers.push(`<${node.tagName}>`);
      for (const { name, value } of node.attrs) {
        const text = value.replace(/[\s\p{Cc}]/gu, '').toLowerCase();
        if (/^on|^(srcdoc|formaction|action|ping|data|xlink)/.test(name)) dangers.push(name);
        if (/^(javascript|vbscript|livescript|data|file|blob|feed|jar|intent|view-source):/.test(text))
          dangers.push(value);
        if (name === 'style' && dangerous.test(text)) dangers.push(value);
      }
      if (node.tagName === 'meta' && /refresh|cookie|security/i.test(JSON.stringify(node.attrs)))
        dangers.push('meta');
      if (node.tagName === 'style') {
        const sheet = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
        if (dangerous.test(sheet.replace(/\/\*.*?\*\//g, ''))) dangers.push(sheet);
      }
    }
    // Outlook reads what stands in a conditional comment.
    if (node.nodeName === '#comment' && 'data' in node) {
      const inner = /^\[if [^\]]*\]>([\s\S]*)<!\[endif\]$/.exec(node.data)?.[1] ?? '';
      dangers.push(...dangersIn(inner.replace(/<\/?([vow]:\w+|xml|noscript)/gi, '<p')));
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return dangers;
}
const dangerous =
  /expression\(|javascript|vbscript|behavior|binding|@(im|\\)|url\(["']?(?!https?:|cid:)[a-z]+:/i;

describe('ways to run something', () => {
  it('the reading of the standard sees the danger before the cleaning', () => {
    const seen = groups.flatMap(({ vectors }) => vectors).filter((vector) => dangersIn(vector).length > 0);
    expect(seen.length).toBeGreaterThan(150);
  });

  describe.each(groups)('$group', ({ vectors }) => {
    it.each(vectors)('%j', (vector) => {
      for (const html of [vector, `<table><tr><td>${vector}</td></tr></table>`, `<p title="x">${vector}`]) {
        const clean = cleaned(html);
        expect(dangersIn(clean)).toEqual([]);
        // Unfilled too, and read once more.
        expect(dangersIn(cleaned(clean))).toEqual([]);
        expect(cleaned(clean)).toBe(clean);
        expect(dangersIn(filled(clean))).toEqual([]);
      }
    });
  });
});

describe('what is kept', () => {
  it.each([
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
    '<html lang="en" xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml">',
    '<meta http-equiv="X-UA-Compatible" content="IE=edge"><meta name="viewport" content="width=device-width">',
    '<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" bgcolor="#fff" align="center"><tr><td valign="top" style="padding:0 9px;mso-line-height-rule:exactly">x</td></tr></table>',
    '<!--[if mso]><table><tr><td width="300"><![endif]--><div>a</div><!--[if mso]></td></tr></table><![endif]-->',
    '<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG></o:AllowPNG></o:OfficeDocumentSettings></xml><![endif]-->',
    '<!--[if mso]><noscript><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml></noscript><![endif]-->',
    '<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="https://a.example" style="height:40px" arcsize="10%" fillcolor="#000"><w:anchorlock></w:anchorlock><center>Buy</center></v:roundrect><![endif]-->',
    '<!--[if !mso]><!--><p>a</p><!--<![endif]-->',
    '<style>@media only screen and (max-width:480px){.a{width:100%!important}}a:hover>b{color:red}</style>',
    '<style>@media (width < 600px){a{color:red}}@media (400px<=width<=700px){a{color:red}}</style>',
    '<a href="https://a.example/?a=1&amp;b=2" target="_blank">x</a><a href="mailto:a@b.example">y</a><a href="tel:+441904">z</a>',
    '<img src="https://a.example/a.png" alt="A &amp; B" width="100"><img src="cid:logo">',
    'Fish &amp; chips&nbsp;&pound;5 &lt; &#163;6',
    '<a href="{{ shop_link }}" title="{{ first_name | default: \'x\' }}">{{ name | default: "you" }}</a>',
    '<table>{% for item in items %}<tr><td>{{ item }}</td></tr>{% endfor %}</table>',
    '<td {% if vip %} bgcolor="#ffd700" {% endif %}>',
    '{% if points > 5 and points < 9 %}x{% endif %}',
    '<p style="color:{{ colour }}">x</p>',
  ])('%s', (html) => {
    expect(cleanHtml(html)).toEqual({ html, leftOut: [], fonts: [] });
  });

  it('quotes inside Liquid end no attribute', () => {
    expect(cleaned('<a title="{{ a | default: "b" }}">x</a>')).toBe(
      `<a title="{{ a | default: 'b' }}">x</a>`,
    );
  });

  it("Outlook's own comments are written in the form that all others understand", () => {
    expect(cleaned('<![if !mso]>a<![endif]>')).toBe('<!--[if !mso]><!-->a<!--<![endif]-->');
    expect(cleaned('<!--[if !mso]><!-- -->a<!-- <![endif]-->')).toBe('<!--[if !mso]><!-->a<!--<![endif]-->');
  });
});

describe('what is left out', () => {
  it('is told once with number and line, and what stood in a form stays', () => {
    const html = '<p onclick=a()>a</p>\n<form><b onclick=b()>b</b></form>\n<script>x</script><!-- note -->';
    expect(cleanHtml(html)).toEqual({
      html: '<p>a</p>\n<b>b</b>\n',
      leftOut: [
        { what: 'an event handler', count: 2, line: 1 },
        { what: 'a form', count: 1, line: 2 },
        { what: 'a script', count: 1, line: 3 },
      ],
      fonts: [],
    });
  });

  it.each([
    ['<a href="javascript:x">a</a>', 'an address that starts with “javascript:”'],
    ['<img src="data:image/png;base64,AAAA">', 'an address that starts with “data:”'],
    ['<style>@import url(https://a.example/a.css);</style>', '@import'],
    ['<style>a <b{color:red}</style>', 'a “<” in a style sheet'],
    ['<p style="behavior:url(a)">a</p>', 'the style “behavior”'],
    ['<link rel="stylesheet" href="https://a.example/a.css">', 'a link to another file'],
    ['<meta http-equiv="refresh" content="0">', 'a meta tag'],
    ['<td mc:edit="body">a</td>', 'a Mailchimp editing mark'],
    ['<svg><path d="M0 0"/></svg>', 'an SVG picture'],
  ])('%s', (html, what) => {
    expect(leftOut(html)).toEqual([what]);
  });

  it('remote fonts are kept and named', () => {
    const html =
      '<link href="https://fonts.googleapis.com/css?family=Lato" rel="stylesheet" type="text/css">' +
      '<style>@font-face{font-family:A;src:url(https://a.example/a.woff2)}</style>';
    expect(cleanHtml(html)).toEqual({
      html,
      leftOut: [],
      fonts: ['https://fonts.googleapis.com/css?family=Lato', 'https://a.example/a.woff2'],
    });
  });
});

it('is as fast for hostile input as for any other', () => {
  const before = process.cpuUsage();
  for (const piece of [
    '<',
    '<a ',
    '<!--',
    '<!--[if mso]>',
    '<p style="',
    '{{ "',
    '<svg>',
    '<style>a{',
    "<a title='",
    '&',
    '</',
    '<![',
    '<a/',
  ])
    cleaned(piece.repeat(30_000 / piece.length));
  for (const style of ['{', '(', '/*', 'url(', '\\', '@a', ';', '"', 'a:b;'])
    cleaned(`<style>${style.repeat(5_000)}</style><p style='${style.repeat(5_000)}'>`);
  for (const opening of ['[if', '[if mso', '[', '[endif'])
    for (const blank of [' ', '\n', ')']) {
      cleaned(`<!--${opening}${blank.repeat(100_000)}#-->`);
      cleaned(`<!${opening}${blank.repeat(100_000)}#>`);
    }
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(10);
});
