import { describe, expect, it } from 'vitest';
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
    firstName: null,
    lastName: null,
    source: null,
    date: null,
    attributes: null,
    notes: null,
    importId: null,
    createdAt: new Date('2026-03-09T10:00:00Z'),
    lists: [],
    tags: [],
    marketing: { basis: 0, source: null, givenOn: null, recordedAt: null },
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
