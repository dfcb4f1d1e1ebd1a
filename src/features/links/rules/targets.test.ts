import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinedAddress, pageAddress, targetOf } from './targets.ts';

it.each([
  ['https://acme.co.uk/tea?a=1&b=2', null],
  [' http://acme.co.uk ', null],
  ['https://acme.co.uk/hello/{{ first_name }}', 'https://acme.co.uk/hello/'],
  ['https://acme.co.uk?who={{ email }}&x={% if a %}1{% endif %}', 'https://acme.co.uk?who='],
])('%j is counted', (address, prefix) => {
  expect(targetOf(address)).toEqual({ target: address.trim(), prefix });
});

it.each([
  '{{ shop_link }}',
  'https://{{ domain }}/offer',
  'https://acme.co.uk{{ path }}',
  'https://acme.co.uk{% if a %}.evil.example{% endif %}/',
  'https://acme.co.uk@{{ host }}/',
  'https://ann:{{ secret }}@acme.co.uk/',
  'https://acme.co.uk\\{{ path }}',
  'mailto:shop@acme.co.uk',
  'tel:+441904000000',
  '#top',
  '/relative',
  '//acme.co.uk/',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,hi',
  'ftp://acme.co.uk/',
  'https://',
  'https:///acme.co.uk',
  'https://acme.co.uk/\r\nSet-Cookie: a=b',
  'https://acme.co.uk/\0',
  `https://acme.co.uk/${'x'.repeat(4_000)}`,
])('%j is left alone', (address) => {
  expect(targetOf(address)).toBeNull();
});

it('an address can stand in a header', () => {
  expect(pageAddress('https://café.example/é b?q=ü')).toBe('https://xn--caf-dma.example/%C3%A9%20b?q=%C3%BC');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const address = pageAddress(`https://acme.co.uk/${text}`);
      return address === null || /^https:\/\/acme\.co\.uk\/[\x21-\x7e]*$/.test(address);
    }),
  );
});

it('no rest leads to another site', () => {
  const prefixes = ['https://acme.co.uk/', 'https://acme.co.uk?u=', 'http://acme.co.uk:8080/a/#'];
  const rest = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('.evil.example/', '@evil.example', '//evil.example', '\\evil.example', '../../..'),
  );
  fc.assert(
    fc.property(fc.constantFrom(...prefixes), rest, (prefix, text) => {
      const address = joinedAddress(prefix, text);
      return address === null || new URL(address).origin === new URL(prefix).origin;
    }),
  );
  expect(joinedAddress('https://acme.co.uk/', 'a b')).toBe('https://acme.co.uk/a%20b');
  expect(joinedAddress('https://acme.co.uk/', 'a\r\nSet-Cookie: b')).toBeNull();
});
