import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedNames, type Names, type NamesChange, newNames } from './changed-names.ts';

const names = (
  name: string | null,
  firstName: string | null = null,
  lastName: string | null = null,
): Names => ({
  name,
  firstName,
  lastName,
});

describe('newNames', () => {
  it.each<[NamesChange, Names]>([
    [{}, names(null)],
    [{ name: 'Jane Smith' }, names('Jane Smith', 'Jane', 'Smith')],
    [{ name: 'Smith, Jane' }, names('Smith, Jane', 'Jane', 'Smith')],
    [{ name: 'Acme Ltd' }, names('Acme Ltd')],
    [{ firstName: 'Jane' }, names('Jane', 'Jane')],
    [{ lastName: ' Smith ' }, names('Smith', null, 'Smith')],
    [{ firstName: 'Jane', lastName: 'Smith' }, names('Jane Smith', 'Jane', 'Smith')],
    [{ firstName: 'Jane', lastName: 'Smith', name: '' }, names(null, 'Jane', 'Smith')],
    [{ firstName: 'Jane', name: 'Acme Ltd' }, names('Acme Ltd', 'Jane')],
    [{ firstName: '', lastName: null, name: undefined }, names(null)],
  ])('%j', (given, result) => {
    expect(newNames(given)).toEqual(result);
  });
});

describe('changedNames', () => {
  it.each<[string, Names, NamesChange, Names]>([
    ['nothing', names('Jane Smith', 'Jane', 'Smith'), {}, names('Jane Smith', 'Jane', 'Smith')],
    [
      'the name follows',
      names('Jane Smith', 'Jane', 'Smith'),
      { lastName: 'Jones' },
      names('Jane Jones', 'Jane', 'Jones'),
    ],
    [
      'with its title and middle name',
      names('Dr Sarah Jane Smith MBE', 'Sarah', 'Smith'),
      { lastName: 'Jones' },
      names('Dr Sarah Jane Jones MBE', 'Sarah', 'Jones'),
    ],
    [
      'in the order it is said',
      names('Smith, Jane', 'Jane', 'Smith'),
      { firstName: 'Janet' },
      names('Janet Smith', 'Janet', 'Smith'),
    ],
    [
      'a name that was never split keeps what it says',
      names('Jane Smith'),
      { firstName: 'Janet' },
      names('Janet Smith', 'Janet', 'Smith'),
    ],
    [
      'one word grows',
      names('Jane'),
      { firstName: 'Jane', lastName: 'Smith' },
      names('Jane Smith', 'Jane', 'Smith'),
    ],
    [
      'one word that is another name stays',
      names('Madonna'),
      { firstName: 'Jane', lastName: 'Smith' },
      names('Madonna', 'Jane', 'Smith'),
    ],
    ['a business stays', names('Acme Ltd'), { firstName: 'Jane' }, names('Acme Ltd', 'Jane')],
    [
      'and stays again',
      names('Acme Ltd', 'Jane', 'Smith'),
      { lastName: 'Jones' },
      names('Acme Ltd', 'Jane', 'Jones'),
    ],
    [
      'an empty name is filled',
      names(null, 'Jane', null),
      { lastName: 'Smith' },
      names('Jane Smith', 'Jane', 'Smith'),
    ],
    ['one goes', names('Jane Smith', 'Jane', 'Smith'), { lastName: null }, names('Jane', 'Jane')],
    ['both go', names('Dr Jane Smith', 'Jane', 'Smith'), { firstName: '', lastName: ' ' }, names(null)],
    ['both go from a business', names('Acme Ltd', 'Jane'), { firstName: null }, names('Acme Ltd')],
    [
      'the others follow the name',
      names('Jane Smith', 'Jane', 'Smith'),
      { name: 'Bob Jones' },
      names('Bob Jones', 'Bob', 'Jones'),
    ],
    [
      'and go when it no longer says them',
      names('Jane Smith', 'Jane', 'Smith'),
      { name: 'Acme Ltd' },
      names('Acme Ltd'),
    ],
    [
      'unless they said something else',
      names('Acme Ltd', 'Jane', 'Smith'),
      { name: 'Apex Ltd' },
      names('Apex Ltd', 'Jane', 'Smith'),
    ],
    [
      'all three as given',
      names('Jane Smith', 'Jane', 'Smith'),
      { name: 'The boss', firstName: 'Bob', lastName: 'Jones' },
      names('The boss', 'Bob', 'Jones'),
    ],
  ])('%s', (_what, before, change, after) => {
    expect(changedNames(before, change)).toEqual(after);
  });

  const text = fc.constantFrom(
    null,
    '',
    'Jane',
    'Smith',
    'Jane Smith',
    'Dr Smith',
    'Acme Ltd',
    'van Dijk',
    'Smith, Jane',
  );
  const change = fc.record({ name: text, firstName: text, lastName: text }, { requiredKeys: [] });

  it('does what the change says, and nothing when it is made again', () => {
    fc.assert(
      fc.property(change, change, (first, second) => {
        const after = changedNames(newNames(first), second);
        for (const key of ['name', 'firstName', 'lastName'] as const) {
          if (second[key] !== undefined) expect(after[key]).toBe(second[key] || null);
        }
        expect(changedNames(after, second)).toEqual(after);
      }),
    );
  });
});
