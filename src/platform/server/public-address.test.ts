import { describe, expect, it } from 'vitest';
import { isPublicAddress, NotPublic, publicLookup, refuseLiteral } from './public-address.ts';

describe('an address on the public internet', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
  ])('is %s', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '',
  ])('is not %s', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('a host that a user named', () => {
  const look = (host: string, all = false) =>
    new Promise((resolve, reject) => {
      publicLookup(host, { all }, (error, address) => (error ? reject(error) : resolve(address)));
    });

  it('is refused when its name leads to the machine itself', async () => {
    await expect(look('localhost')).rejects.toBeInstanceOf(NotPublic);
    await expect(look('localhost', true)).rejects.toThrow('localhost is not on the public internet.');
  });

  it('is found when it is a public address', async () => {
    expect(await look('8.8.8.8')).toBe('8.8.8.8');
    expect(await look('8.8.8.8', true)).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });

  it('is refused as an IP address, which sockets do not look up', () => {
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '169.254.169.254'])
      expect(() => refuseLiteral(host), host).toThrow(NotPublic);
    for (const host of ['8.8.8.8', '[2606:4700::1111]', 'shop.co.uk', 'localhost'])
      expect(() => refuseLiteral(host), host).not.toThrow();
  });
});
