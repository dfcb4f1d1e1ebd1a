import { describe, expect, it } from 'vitest';
import { asciiAddress } from './smtp-address.ts';

describe('an address for mail servers', () => {
  it.each([
    ['jo@example.org', 'jo@example.org', false],
    ["o'neill+news@Example.org", "o'neill+news@Example.org", false],
    ['jo@bücher.example', 'jo@xn--bcher-kva.example', false],
    ['jörg@bücher.example', 'jörg@xn--bcher-kva.example', true],
    ['jo@[192.0.2.1]', 'jo@[192.0.2.1]', false],
    ['jo@[IPv6:2001:db8::1]', 'jo@[IPv6:2001:db8::1]', false],
    ['"jo smith"@x.de', '"jo smith"@x.de', false],
    ['jo smith@x.de', '"jo smith"@x.de', false],
    ['jo.@x.de', '"jo."@x.de', false],
    ['a@b@x.de', '"a@b"@x.de', false],
    ['all@x.de, jo"\\@x.de', '"all@x.de, jo\\"\\\\"@x.de', false],
    ['"a"b"@x.de', '"\\"a\\"b\\""@x.de', false],
  ])('%s', (address, written, needsSmtpUtf8) => {
    expect(asciiAddress(address)).toEqual({ address: written, needsSmtpUtf8 });
  });

  it.each([
    '',
    'jo',
    '@x.de',
    'jo@',
    'jo@x..de',
    'jo@x.de>',
    'jo@x de',
    'jo@x.de,y.de',
    'j\0o@x.de',
    'j\r\no@x.de',
    'j\ud83d@x.de',
    'jo@[x>y]',
  ])('cannot be %j', (address) => {
    expect(asciiAddress(address)).toBeNull();
  });
});
