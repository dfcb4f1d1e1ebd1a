import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDns, type Dns } from '#platform/server/dns.ts';
import { type DnsServer, type NameAnswers, startDnsServer } from '#test/support/dns-server.ts';
import { reverseDnsCheck } from './reverse-dns-check.ts';

let server: DnsServer;
let dns: Dns;
let names: Record<string, NameAnswers>;

beforeAll(async () => {
  server = await startDnsServer((name) => names[name]);
  dns = createDns({ servers: [server.address], deadlineMs: 300 });
});
beforeEach(() => {
  names = {
    'smtp.acme.co.uk': { a: ['51.15.0.9'] },
    '9.0.15.51.in-addr.arpa': { ptr: ['out.acme.co.uk'] },
    'out.acme.co.uk': { a: ['51.15.0.9'] },
  };
});
afterAll(async () => {
  dns.close();
  await server.close();
});

const check = (...hosts: string[]) => reverseDnsCheck(dns, hosts);

it('passes names that lead back, and names each address once', async () => {
  expect(await check('smtp.acme.co.uk', '51.15.0.9')).toMatchObject({
    ...{ result: 'pass', words: '51.15.0.9 is out.acme.co.uk, and back.' },
  });
  names['out.acme.co.uk'] = {};
  names['9.0.15.51.in-addr.arpa'] = { ptr: ['out.acme.co.uk', 'smtp.acme.co.uk'] };
  expect(await check('51.15.0.9')).toMatchObject({ words: '51.15.0.9 is smtp.acme.co.uk, and back.' });
});

it('advises where there is no name, or one of another address', async () => {
  names['9.0.15.51.in-addr.arpa'] = {};
  expect(await check('smtp.acme.co.uk')).toMatchObject({
    ...{ result: 'advice', words: 'The mail server 51.15.0.9 has no name in DNS.' },
  });
  names['9.0.15.51.in-addr.arpa'] = { ptr: ['out.acme.co.uk'] };
  names['out.acme.co.uk'] = { a: ['51.15.0.10'] };
  expect(await check('smtp.acme.co.uk')).toMatchObject({
    ...{ result: 'advice', fix: expect.stringContaining('PTR record') },
    words: expect.stringContaining('calls itself out.acme.co.uk'),
  });
});

it('blames nobody for name servers that do not answer', async () => {
  names['9.0.15.51.in-addr.arpa'] = { fails: 'SERVFAIL' };
  expect(await check('51.15.0.9')).toMatchObject({ fix: expect.stringContaining('again in a while') });
});

it('compares IPv6 addresses however they are written', async () => {
  const reverse = `${'9'.padStart(24, '0').split('').reverse().join('.')}.8.b.4.0.0.0.a.2.ip6.arpa`;
  names[reverse] = { ptr: ['six.acme.co.uk'] };
  names['six.acme.co.uk'] = { aaaa: ['2a00:4b8:0:0:0:0:0:9'] };
  expect(await check('2a00:04b8::9')).toMatchObject({ result: 'pass' });
});

it('says nothing where the way out cannot be seen', async () => {
  names['relay.local'] = { a: ['10.0.0.9'] };
  expect(await check('relay.local', '127.0.0.1', '[::1]', 'gone.acme.co.uk')).toBeNull();
  expect(await check()).toBeNull();
});
