import { domainToASCII } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fieldNames, readFilter } from '#features/audience/rules.ts';
import { exportFileName } from '#features/exports/rules.ts';
import { percentChange } from '#features/rollups/rules.ts';
import { contactStatus, presentContact } from './rules.ts';

describe('contactStatus', () => {
  it.each([
    [0, false, 'active'],
    [1, false, 'invalid'],
    [2, false, 'duplicate'],
    [0, true, 'suppressed'],
    [1, true, 'suppressed'],
    [2, true, 'suppressed'],
  ] as const)('state %i, suppressed %s: %s', (state, isSuppressed, status) => {
    expect(contactStatus(state, isSuppressed)).toBe(status);
  });
});

describe('presentContact', () => {
  const stored = {
    id: 1,
    local: 'tom',
    domain: 'acme.co.uk',
    address: null,
    state: 0,
    isSuppressed: false,
    name: null,
    source: null,
    date: null,
    attributes: null,
    notes: null,
    importId: null,
    createdAt: new Date('2026-03-09T10:00:00Z'),
    verification: null,
  };

  it('shows the address as it was given, or its identity key', () => {
    expect(presentContact(stored)).toMatchObject({
      address: 'tom@acme.co.uk',
      attributes: {},
      ukClass: 'uk',
    });
    expect(presentContact({ ...stored, address: 'Tom@Acme.co.uk' }).address).toBe('Tom@Acme.co.uk');
    expect(presentContact({ ...stored, local: 'no address', domain: '' }).address).toBe('no address');
  });
});

describe('readFilter', () => {
  const read = (filter: object) => readFilter(filter, domainToASCII);
  it('takes terms in the form in which addresses are stored', () => {
    expect(read({ search: '  Tom@ACME ' }).term).toBe('tom@acme');
    expect(read({ search: 'tom@Müller.de' }).term).toBe('tom@xn--mller-kva.de');
    expect(read({ search: 'müller' }).term).toBe('müller');
    expect(read({ search: 'tom@%ü' }).term).toBe('tom@%ü');
    expect(read({ search: '\0to\ud800m' }).term).toBe('to\ufffdm');
  });
  it('reads blank as nothing', () => {
    expect(read({ search: ' ', domain: ' ' })).toEqual({
      term: null,
      status: null,
      domain: null,
      profiles: null,
      source: null,
      importId: null,
      addedFrom: null,
      addedTo: null,
      ids: null,
      after: null,
    });
  });
  it('takes a domain in any form', () => {
    expect(read({ domain: 'Müller.DE' }).domain).toBe('xn--mller-kva.de');
  });
});

describe('percentChange', () => {
  it.each([
    [null, 5, 0],
    [0, 0, 0],
    [0, 5, 100],
    [1000, 1034, 3.4],
    [1000, 0, -100],
    [3, 1, -66.7],
  ])('from %s to %i: %d', (before, now, change) => expect(percentChange(before, now)).toBe(change));
});

it('names the export by the day in London', () => {
  const summer = new Date('2026-07-01T23:30:00Z');
  expect(exportFileName(summer, 'csv')).toBe('contacts-2026-07-02.csv');
  expect(exportFileName(summer, 'json', { number: 7, of: 150 })).toBe('contacts-2026-07-02-part-007.json');
  expect(exportFileName(summer, 'json', { number: 7, of: 1500 })).toBe('contacts-2026-07-02-part-0007.json');
  expect(exportFileName(new Date('2026-12-31T23:30:00Z'), 'zip')).toBe('contacts-2026-12-31.zip');
});

describe('the names of extra fields', () => {
  it('are those that contacts have and those that an import keeps, each once', () => {
    expect(fieldNames(['Phone', 'county'], ['email', ' County ', 'name', 'created', ''])).toEqual([
      'county',
      'Phone',
    ]);
  });
});
