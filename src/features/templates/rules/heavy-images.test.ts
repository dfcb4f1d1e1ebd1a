import { expect, it } from 'vitest';
import { heavyImages, imagesIn } from './heavy-images.ts';

const html = `<p>Hello</p>
<IMG alt="" src="https://a.uk/i/1.png?a=1&amp;b=2"> <img src='{{ logo }}'><!-- <img src="no.png"> -->
<img src="small.png"><img src="https://a.uk/i/1.png?a=1&amp;b=2">`;

it('finds each image once, as a browser reads its address', () => {
  expect([...imagesIn(html)].slice(0, 1)).toEqual([['https://a.uk/i/1.png?a=1&b=2', 13]]);
  expect([...imagesIn(html).keys()]).toContain('small.png');
  expect([...imagesIn(html).keys()]).not.toContain('no.png');
});

it('tells of those over 200 kB, with their line', () => {
  const sizes = new Map([
    ['https://a.uk/i/1.png?a=1&b=2', 342_000],
    ['small.png', 200_000],
  ]);
  expect(heavyImages(html, sizes)).toEqual([
    expect.objectContaining({ key: 'heavy_image', line: 2, words: expect.stringContaining('has 342 kB') }),
  ]);
  expect(heavyImages(html, new Map())).toEqual([]);
});
