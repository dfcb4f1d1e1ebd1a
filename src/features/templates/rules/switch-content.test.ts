import { describe, expect, it } from 'vitest';
import { type Content, switched } from './switch-content.ts';

const html: Content = { mode: 'html', htmlContent: '' };
const mjml: Content = { mode: 'mjml', mjml: '' };
const asMjml = (page: string) => switched(html, page, 'mjml').content;
const asDocument = (page: string) => switched(mjml, page, 'visual').content;

describe('a page in another mode', () => {
  const page =
    '<html><head><title class="a">News</title><style>a{}</style></head><!-- <body> -->' +
    '<body title="a > b" {% if x %}class="{{ "c" }}"{% endif %}><style >b{}</style ><p>x</p><style>c{}</style></body></html>';

  it('is what its body shows, with the title', () => {
    expect(asDocument(page)).toMatchObject({
      document: {
        title: 'News',
        blocks: [{ html: '<style >b{}</style ><p>x</p><style>c{}</style>' }],
      },
    });
  });

  it('keeps its style sheets beside the body in MJML', () => {
    expect(asMjml(page)).toEqual({
      mode: 'mjml',
      mjml: [
        '<mjml><mj-head>',
        '<mj-title>News</mj-title>',
        ...['a', 'b', 'c'].map((name) => `<mj-style>${name}{}</mj-style>`),
        '</mj-head><mj-body><mj-raw>',
        '<p>x</p>',
        '</mj-raw></mj-body></mjml>',
      ].join('\n'),
    });
  });

  it('keeps a style sheet that is not closed where it stands', () => {
    expect(asMjml('<body><style>a{}')).toMatchObject({
      mjml: expect.stringContaining('<mj-raw>\n<style>a{}\n'),
    });
  });

  it('is read quickly, whatever it holds', () => {
    const before = process.cpuUsage();
    for (const piece of ['<body ', '<body', '<title', '<style>', '<style', '</style', '</body ']) {
      asMjml(piece.repeat(30_000));
      expect(() => asDocument(piece.repeat(10_000))).not.toThrow();
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(3);
  });
});
