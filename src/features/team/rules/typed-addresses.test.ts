import { expect, it } from 'vitest';
import { typedAddresses } from './typed-addresses.ts';

it.each([
  ['', []],
  ['  \n ,; ', []],
  ['jo@x.uk', ['jo@x.uk']],
  [
    'jo@x.uk, ann@x.uk;bob@x.uk\ncat@x.uk dan@x.uk',
    ['jo@x.uk', 'ann@x.uk', 'bob@x.uk', 'cat@x.uk', 'dan@x.uk'],
  ],
  ['Jo Smith <jo@x.uk>; Ann <ann@x.uk>', ['jo@x.uk', 'ann@x.uk']],
  ['Jo Smith jo@x.uk', ['jo@x.uk']],
  ['jo@x.uk, JO@X.UK', ['jo@x.uk']],
  ['jo@x.uk, nonsense, two words', ['jo@x.uk', 'nonsense', 'two words']],
])('reads %j', (text, addresses) => {
  expect(typedAddresses(text)).toEqual(addresses);
});
