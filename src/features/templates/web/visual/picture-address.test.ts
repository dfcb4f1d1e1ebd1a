import { expect, it } from 'vitest';
import { shownPicture, standIn } from './picture-address.ts';

const ours = `/i/7-${'A'.repeat(22)}.png`;

it.each([
  [`https://mail.example.org${ours}`, { src: ours }],
  [ours, { src: ours }],
  ['https://cdn.example.org/a.png', { host: 'cdn.example.org' }],
  ['//cdn.example.org/a.png', { host: 'cdn.example.org' }],
  [' HTTP://CDN.example.org?x', { host: 'CDN.example.org' }],
  ['data:image/png;base64,AAAA', { src: 'data:image/png;base64,AAAA' }],
])('%s is shown as %o', (address, shown) => {
  expect(shownPicture(address)).toEqual(shown);
});

it('the stand-in is a picture, whatever the host is called', () => {
  for (const host of ['a.example', 'x'.repeat(300), '<script>"&']) {
    const svg = decodeURIComponent(standIn(host).slice('data:image/svg+xml,'.length));
    expect(svg).toMatch(/^<svg .*<\/svg>$/);
    expect(svg).not.toContain('<script');
  }
});
