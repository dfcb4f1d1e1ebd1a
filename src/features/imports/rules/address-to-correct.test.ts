import { expect, it } from 'vitest';
import { addressToCorrect } from './address-to-correct.ts';

it.each([
  ['jo@gmail,Jo', 'No dot in the domain. Did you mean jo@gmail.com?', 'jo@gmail.com'],
  ['Jo,jo@acme', 'No dot in the domain', 'jo@acme'],
  ['"jo@acme";Jo', 'No dot in the domain', 'jo@acme'],
  ['not-an-address,Sam', 'No @ sign', 'not-an-address'],
  ['Jo <jo@firma.de>', 'Ends in .de', 'Jo <jo@firma.de'],
  ['', 'No address', ''],
  ['"1","Jo","","Sam (sam@ourfirm.co.uk)"', 'There is no address in this row', ''],
  ['sam@ourfirm.co.uk,Jo,jo@firma.de', 'Ends in .de', 'jo@firma.de'],
  ['sam@ourfirm.co.uk,Jo,JO@FIRMA.DE', 'Ends in .de', 'JO@FIRMA.DE'],
  ['sam@ourfirm.co.uk,a@b; c@d', 'c@d: No dot after the @ sign', 'c@d'],
])('begins %j, %j with %j', (text, why, address) => {
  expect(addressToCorrect({ text, why })).toBe(address);
});

it.each([
  ['jo.acme.co.uk', 'No @ sign', 'jo.acme.co.uk'],
  ['Jo <jo@firma.de>', 'Ends in .de', 'jo@firma.de'],
  [' jo@acme ', 'No dot after the @ sign', 'jo@acme'],
  ['', 'No @ sign', ''],
  ['jo@gmail', 'No dot after the @ sign. Did you mean jo@gmail.com?', 'jo@gmail.com'],
])('begins with the cell %j of the import, not with what else the row has', (cell, why, address) => {
  const text = `anna@brightmail.co.uk,${cell},York`;
  expect(addressToCorrect({ text, why, cell })).toBe(address);
});
