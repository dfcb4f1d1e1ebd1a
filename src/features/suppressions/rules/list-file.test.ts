import { domainToASCII, domainToUnicode } from 'node:url';
import { describe, expect, it } from 'vitest';
import { detectDialect } from '#features/csv/rules.ts';
import { createAddressReader, readDomain } from '../rules.ts';
import { createEntryReader, dateIn, findListColumns, type ListForm, reasonIn } from './list-file.ts';

const idna = { toAscii: domainToASCII, toUnicode: domainToUnicode };
const reader = (form: ListForm) =>
  createEntryReader(form, {
    readAddress: createAddressReader(idna),
    readDomain: (text) => readDomain(text, idna),
  });
const read = reader('auto');
const md5 = '2d1c3bbb4a5d1a6d4e1c9f0a7b8c9d0e';

describe('an entry', () => {
  it.each([
    [' Ann@Acme.co.uk ', { kind: 'email', local: 'ann', domain: 'acme.co.uk' }],
    ['@Acme.co.uk', { kind: 'domain', domain: 'acme.co.uk' }],
    ['acme.co.uk', { kind: 'domain', domain: 'acme.co.uk' }],
    [md5.toUpperCase(), { kind: 'hash', of: 'md5', hash: md5 }],
    ['a'.repeat(40), { kind: 'hash', of: 'sha1', hash: 'a'.repeat(40) }],
    ['0'.repeat(64), { kind: 'hash', of: 'sha256', hash: '0'.repeat(64) }],
    ['   ', { kind: 'blank' }],
  ])('%s', (text, entry) => {
    expect(read(text)).toEqual(entry);
  });
  it.each(['@co.uk', 'ann', 'a'.repeat(41), 'ann@bob@acme.co.uk'])('%s is none', (text) => {
    expect(read(text)).toMatchObject({ kind: 'invalid' });
  });
  it('is only what the form says', () => {
    expect(reader('plain')(md5).kind).toBe('invalid');
    expect(reader('sha1')(md5)).toEqual({ kind: 'invalid', why: 'This is not the SHA-1 of an address.' });
    expect(reader('md5')('ann@acme.co.uk').kind).toBe('invalid');
  });
});

describe('the columns', () => {
  const columnsOf = (text: string) => {
    const detected = detectDialect(Buffer.from(text), true);
    if (!detected.ok) throw new Error(detected.message);
    return findListColumns(detected, read);
  };
  it('are found by name, also above hashes and domains', () => {
    expect(columnsOf(`reason,md5,date\nbounced,${md5},2026-01-02\n`)).toEqual({
      header: true,
      entry: 1,
      reason: 0,
      date: 2,
      note: -1,
    });
    expect(columnsOf('Domain\nacme.co.uk\n')).toMatchObject({ header: true, entry: 0 });
  });
  it('are found by what is in them where there are no names', () => {
    expect(columnsOf(`1;${md5}\n2;${md5}\n`)).toMatchObject({ header: false, entry: 1, reason: -1 });
    expect(columnsOf('acme.co.uk\n@shop.uk\n')).toMatchObject({ header: false, entry: 0 });
  });
  it('take the one that tells most of several that are named', () => {
    expect(columnsOf('Domain,Email\ngmail.com,jo@gmail.com\n')).toMatchObject({ header: true, entry: 1 });
    expect(columnsOf(`Domain,Mail,SHA256\nacme.co.uk,,${'a'.repeat(64)}\n`)).toMatchObject({ entry: 2 });
    expect(columnsOf('Domain,Address\nacme.co.uk,jo@acme.co.uk\n')).toMatchObject({ entry: 1 });
  });
  it('do not take a named one without entries while another has some', () => {
    const postal = 'Name,Address,Email\nJo Lee,1 High Street,jo@acme.co.uk\n';
    expect(columnsOf(postal)).toMatchObject({ header: true, entry: 2 });
    expect(columnsOf('Email,Domain\n,acme.co.uk\n,shop.co.uk\n')).toMatchObject({ header: true, entry: 1 });
    expect(columnsOf('Email\nnobody\n')).toMatchObject({ header: true, entry: 0 });
  });
  it('do not take an entry in the first line for a name', () => {
    for (const first of [md5, 'acme.co.uk', '@acme.co.uk', `${md5.toUpperCase()}`]) {
      const list = `${first}\nann@shop.uk\nbob@shop.uk\n`;
      expect(columnsOf(list)).toMatchObject({ header: false, entry: 0 });
    }
  });
});

it('takes reasons and dates of its own, and nothing else', () => {
  expect(reasonIn(' Complained ')).toBe('complained');
  expect(reasonIn('because')).toBeNull();
  const now = Date.parse('2026-11-21T12:00:00Z');
  expect(dateIn('2026-03-04T05:06:07Z', now)?.toISOString()).toBe('2026-03-04T05:06:07.000Z');
  expect(dateIn('2026-03-04 05:06:07+00', now)).toBeNull();
  expect(dateIn('2026-03-04', now)?.toISOString()).toBe('2026-03-04T00:00:00.000Z');
  expect(dateIn('2026-12-24', now)).toBeNull();
  expect(dateIn('3/4/2026', now)).toBeNull();
});
