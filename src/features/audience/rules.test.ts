import { domainToASCII } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fieldNames, readFilter } from './rules.ts';

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

describe('the names of extra fields', () => {
  it('are those that contacts have and those that an import keeps, each once', () => {
    expect(fieldNames(['Phone', 'county'], ['email', ' County ', 'name', 'created', ''])).toEqual([
      'county',
      'Phone',
    ]);
  });
});
