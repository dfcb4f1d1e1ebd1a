import { expect, it } from 'vitest';
import { addressIn, addressInUrl, fromThisHost, pathOf, tokensIn } from './address.ts';

const token = 'k3J-_9aQzXcVbNmAsDfGhJ';
const address = { workspaceId: 12, token, format: 'png' as const };

it('reads what it writes', () => {
  expect(pathOf(address)).toBe(`/i/12-${token}.png`);
  expect(addressIn(`12-${token}.png`)).toEqual(address);
});

it.each([
  '',
  token,
  `12-${token}`,
  `12-${token}.svg`,
  `12-${token}x.png`,
  `012-${token}.png`,
  `0-${token}.png`,
  `12-../../../secret-key.png`,
  `9999999999999999-${token}.png`,
])('finds no image in %j', (file) => {
  expect(addressIn(file)).toBeNull();
});

it.each([
  [`https://mail.acme.co.uk/i/12-${token}.png`, true],
  [`/i/12-${token}.png?v=2`, true],
  [` http://localhost:3000/i/12-${token}.png#top`, true],
  [`https://mail.acme.co.uk/pictures/i/12-${token}.png`, false],
  [`javascript:/i/12-${token}.png`, false],
])('finds the address in the URL %s: %s', (url, isOurs) => {
  expect(addressInUrl(url) !== null).toBe(isOurs);
});

it('shows images of ours from the page’s own host, and no others', () => {
  const html = `<img src="https://a.uk/i/12-${token}.png"><td background='http://b:3000/i/1-${token}.gif'>`;
  expect(fromThisHost(html)).toBe(`<img src="/i/12-${token}.png"><td background='/i/1-${token}.gif'>`);
  const others = `<img src="https://a.uk/i/logo.png"><img src="https://a.uk/x/i/12-${token}.png">`;
  expect(fromThisHost(others)).toBe(others);
});

it('finds each image that a text names once', () => {
  const other = 'A'.repeat(22);
  const text = `<img src="https://a.uk/i/12-${token}.png"> {"src": "/i/3-${other}.jpg"} /i/12-${token}.png /i/12-${token}.svg`;
  expect(tokensIn(text)).toEqual([token, other]);
});

it('looks for images quickly in any text', () => {
  const before = process.cpuUsage();
  for (const piece of ['1', '1-', '1-a', '-']) expect(tokensIn(piece.repeat(300_000))).toEqual([]);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(2);
});
