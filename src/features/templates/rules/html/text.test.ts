import { describe, expect, it } from 'vitest';
import { compileTemplate, fill } from '../compile.ts';
import { textFromHtml } from './text.ts';

describe('the text part', () => {
  it.each([
    [
      '<h1>Our News</h1><p>Fish &amp; <b>chips</b>.<br>Peas&nbsp;too.</p>',
      'Our News\n\nFish & chips.\nPeas too.',
    ],
    ['<p><a href="https://a.example/?a=1&amp;b=2">Read</a></p>', 'Read (https://a.example/?a=1&b=2)'],
    ['<a href="https://a.example">https://a.example</a> <a href="#top">Top</a>', 'https://a.example Top'],
    ['<ul><li>a<li>b<ul><li>c</ul></ul><ol><li>x<li>y</ol>', '- a\n- b\n  - c\n\n 1. x\n 2. y'],
    [
      '<table><tr><th>Size</th><th>Price</th></tr><tr><td>S</td><td>£8</td></tr></table>',
      'Size | Price\nS | £8',
    ],
    ['<table><tr><td><p>Left</p></td><td><p>Right</p></td></tr></table>', 'Left\n\nRight'],
    ['<img src="a.png" alt="Our logo"><img src="b.gif" alt="">', 'Our logo'],
    ['<title>T</title><style>a{}</style><script>x</script><!--[if mso]>M<![endif]-->a', 'a'],
    ['<div style="display: NONE">x<div>y</div></div>a', 'a'],
    [
      '<span style="max-height:0px;overflow:hidden">x</span><b hidden>y</b><i style="mso-hide:all">z</i>a',
      'a',
    ],
    [
      '<td style="font-size:0px">x{% if y %}<div style="font-size:16px">a</div>{% endif %}</td>',
      '{%- if y %}\na\n{%- endif %}',
    ],
    ['<span style="font-size:0">x<img src="a.png" alt="Logo"></span>', 'Logo'],
    ['<p style="max-height:40px;font-size:0.9em">a</p>', 'a'],
    ['Hi {{ first_name | default: "a  <b> & c" }}!', 'Hi {{ first_name | default: "a  < b> & c" }}!'],
    ['<h2>{{ first_name }}, hello</h2>', '{{ first_name }}, hello'],
  ])('of %s', (html, expected) => {
    expect(textFromHtml(html)).toBe(expected);
  });

  it('leaves no gap where a part is not shown', () => {
    const html =
      '<p>a</p>{% if x %}<p>b</p>{% endif %}<p>c</p><table>{% for r in rows %}<tr><td>{{ r }}</td><td>1</td></tr>{% endfor %}</table><p>d</p>';
    const template = compileTemplate({ subject: '', preheader: '', html, text: textFromHtml(html) });
    expect(fill(template, { rows: [] }).text.replace(/\n+/g, '\n')).toBe('a\nc\nd');
    expect(fill(template, { rows: [] }).text).not.toMatch(/\n{3}/);
    expect(fill(template, { x: true, rows: ['y', 'z'] }).text).toBe('a\n\nb\n\nc\ny | 1\nz | 1\n\nd');
  });

  it('is refused for what stands too deep, before reading it takes long', () => {
    const tooDeep = 'more than 1,000 elements';
    expect(() => textFromHtml('<div>'.repeat(200_000))).toThrow(tooDeep);
    // Liquid is no HTML, so what it holds ends no element.
    expect(() => textFromHtml('<div>{{ "</div>" }}'.repeat(40_000))).toThrow(tooDeep);
    expect(() => textFromHtml('<!-- </b> --><b title="</b>">'.repeat(30_000))).toThrow(tooDeep);
  });

  it('is made of anything, however deep or long', () => {
    const before = process.cpuUsage();
    expect(textFromHtml(`${'<div>'.repeat(1_000)}x`)).toBe('');
    expect(textFromHtml(`${'<p>line'.repeat(50_000)}`)).toContain('line');
    expect(textFromHtml('<table><tr><td>'.repeat(300))).toBe('');
    expect(textFromHtml('<p>x</p>'.repeat(2_000))).toMatch(/^x/);
    expect(textFromHtml(`<p>a${'\u00a0'.repeat(200_000)}x</p>`)).toMatch(/^a {200000}x$/);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(5);
  });
});
