import { expect, it } from 'vitest';
import { addressToCorrect } from './address-to-correct.ts';

it.each([
  ['jo@gmail,Jo', 'No dot in the domain. Did you mean jo@gmail.com?', 'jo@gmail.com'],
  ['Jo,jo@acme', 'No dot in the domain', 'jo@acme'],
  ['"jo@acme";Jo', 'No dot in the domain', 'jo@acme'],
  ['not-an-address,Sam', 'No @ sign', 'not-an-address'],
  ['Jo <jo@firma.de>', 'Ends in .de', 'Jo <jo@firma.de'],
  ['', 'No address', ''],
])('begins %j, %j with %j', (text, why, address) => {
  expect(addressToCorrect({ text, why })).toBe(address);
});
