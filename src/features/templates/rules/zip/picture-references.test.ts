import { expect, it } from 'vitest';
import { htmlFilesOf } from './choose-html.ts';
import { picturesIn, withPictures } from './picture-references.ts';

const pathsIn = (html: string, file = 'mail/index.html') => picturesIn(html, file).map(({ path }) => path);

it.each([
  ['<img src="images/Logo%20big.PNG?v=2">', 'mail/images/logo big.png'],
  ['<img src="./a.png">', 'mail/a.png'],
  ['<img src="../a.png">', 'a.png'],
  ['<img src="/a.png">', 'a.png'],
  ['<img src="images\\a.png">', 'mail/images/a.png'],
  ['<img src="a&amp;b.png">', 'mail/a&b.png'],
  ['<img src="%E0%A4%A">', 'mail/%e0%a4%a'],
  ['<td background="a.gif">', 'mail/a.gif'],
  ['<td style="background: url(&quot;a.gif&quot;) no-repeat">', 'mail/a.gif'],
  ['<td style="background: url(\'a.gif\')">', 'mail/a.gif'],
  ['<style>td { background: url( a.gif ) }</style>', 'mail/a.gif'],
  ['<!--[if mso]><v:fill type="frame" src="a.gif" /><![endif]-->', 'mail/a.gif'],
  ['<img src="../../../etc/passwd">', ''],
])('finds what %s shows', (html, path) => {
  expect(pathsIn(html)).toEqual([path]);
});

it.each([
  '<img src="https://example.com/a.png">',
  '<img src="//example.com/a.png">',
  '<img src="cid:a">',
  '<img src="{{ logo }}">',
  '<img src="">',
  '<a href="a.png">A picture</a>',
  '<td style="background: url()">',
])('leaves %s as it is', (html) => {
  expect(pathsIn(html)).toEqual([]);
});

it('writes addresses where the names stood, and nowhere else', () => {
  const html =
    '<p>a.png</p><img src="a.png" alt="One &amp; two" srcset="a.png 1x, b.png 2x">' +
    '<td background="a.png" style="background: url(a.png)"><img src="c.png">';
  expect(picturesIn(html, 'index.html')).toEqual([
    { written: 'a.png', path: 'a.png', alt: 'One & two' },
    { written: 'c.png', path: 'c.png', alt: null },
    { written: 'b.png', path: 'b.png', alt: null },
  ]);
  const urls = new Map([
    ['a.png', 'https://x/i/1'],
    ['b.png', 'https://x/i/2'],
  ]);
  expect(withPictures(html, urls)).toBe(
    '<p>a.png</p><img src="https://x/i/1" alt="One &amp; two" srcset="https://x/i/1 1x, https://x/i/2 2x">' +
      '<td background="https://x/i/1" style="background: url(https://x/i/1)"><img src="c.png">',
  );
});

it.each([
  ['spaces', `url(${' '.repeat(400_000)}`],
  ['spaces after a name', `url(a${' '.repeat(400_000)}`],
  ['openings', 'url('.repeat(100_000)],
  ['attributes', ' src="'.repeat(80_000)],
  ['commas', `<img srcset="${', '.repeat(200_000)}">`],
])('looks through a text of many %s at once', (_, html) => {
  const begin = performance.now();
  picturesIn(html, 'index.html');
  expect(performance.now() - begin).toBeLessThan(2_000);
});

it('takes the HTML that is meant', () => {
  expect(htmlFilesOf(['__MACOSX/._a.html', 'a/b.html', 'z.htm', 'a/index.html', 'a.png', '.x.html'])).toEqual(
    ['a/index.html', 'z.htm', 'a/b.html'],
  );
});
