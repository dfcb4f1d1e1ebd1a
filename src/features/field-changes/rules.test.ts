import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ContactChange,
  type ContactFields,
  changedFields,
  takenBack,
} from '#features/contacts/rules/contact-change.ts';
import type { WhatChanges } from './contract.ts';
import { alreadySet, changeInWords, fieldsAfter, fieldsBack, fieldsOfChange, problemOf } from './rules.ts';

const contact = (some: Partial<ContactFields> = {}): ContactFields => ({
  name: null,
  firstName: null,
  lastName: null,
  notes: null,
  attributes: {},
  ...some,
});

describe('problemOf', () => {
  it.each<[WhatChanges, RegExp | null]>([
    [{ set: { notes: 'x' } }, null],
    [{ set: { notes: null } }, null],
    [{ set: { attributes: { phone: null } }, onlyEmpty: true }, null],
    [{ splitNames: true }, null],
    [{}, /either/],
    [{ set: { notes: 'x' }, splitNames: true }, /either/],
    [{ set: {} }, /at least one/],
    [{ set: { attributes: {} } }, /at least one/],
    [{ splitNames: true, onlyEmpty: true }, /belongs to `set`/],
    [{ set: { attributes: { email: 'x' } } }, /every contact has it/],
    [{ set: { attributes: { 'a ': 'x' } } }, /blank/],
    [{ set: { attributes: { Phone: '1', phone: '2' } } }, /already/],
  ])('%j', (what, problem) => {
    if (problem === null) expect(problemOf(what)).toBeNull();
    else expect(problemOf(what)).toMatch(problem);
  });
});

describe('fieldsAfter', () => {
  const jane = contact({
    name: 'Jane Smith',
    firstName: 'Jane',
    lastName: 'Smith',
    notes: 'n',
    attributes: { Phone: '1' },
  });
  it.each<[string, ContactFields, WhatChanges, ContactFields | 'full' | null]>([
    ['one field', jane, { set: { notes: 'm' } }, { ...jane, notes: 'm' }],
    ['the same value', jane, { set: { notes: 'n', attributes: { Phone: '1' } } }, null],
    ['none', jane, { set: { notes: null } }, { ...jane, notes: null }],
    ['none where there is none', contact(), { set: { notes: null } }, null],
    ['only where it is empty', jane, { set: { notes: 'm' }, onlyEmpty: true }, null],
    [
      'only where it is empty, and it is',
      contact(),
      { set: { notes: 'm' }, onlyEmpty: true },
      contact({ notes: 'm' }),
    ],
    [
      'only those that are empty',
      jane,
      { set: { firstName: 'Bob', attributes: { Phone: '2', town: 'York' } }, onlyEmpty: true },
      { ...jane, attributes: { Phone: '1', town: 'York' } },
    ],
    [
      'only where it is empty, and no name by the way',
      contact({ name: 'Jane Smith' }),
      { set: { firstName: 'Friend' }, onlyEmpty: true },
      contact({ name: 'Jane Smith', firstName: 'Friend' }),
    ],
    [
      'only where it is empty, of a contact without any name',
      contact(),
      { set: { firstName: 'Friend' }, onlyEmpty: true },
      contact({ name: 'Friend', firstName: 'Friend' }),
    ],
    [
      'a name that follows',
      jane,
      { set: { lastName: 'Jones' } },
      { ...jane, name: 'Jane Jones', lastName: 'Jones' },
    ],
    [
      'a field that the contact writes otherwise',
      jane,
      { set: { attributes: { phone: '2' } } },
      { ...jane, attributes: { Phone: '2' } },
    ],
    ['none of it, too', jane, { set: { attributes: { phone: null } } }, { ...jane, attributes: {} }],
    [
      'names from the name',
      contact({ name: 'Smith, Jane' }),
      { splitNames: true },
      contact({ name: 'Smith, Jane', firstName: 'Jane', lastName: 'Smith' }),
    ],
    ['no names from a business', contact({ name: 'Acme Ltd' }), { splitNames: true }, null],
    ['no names where there are some', { ...jane, name: 'Bob Jones' }, { splitNames: true }, null],
    [
      'no field too many',
      contact({ attributes: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`f${n}`, 'x'])) }),
      { set: { attributes: { one: 'more' } } },
      'full',
    ],
  ])('%s', (_what, before, what, after) => {
    expect(fieldsAfter(before, what)).toEqual(after);
  });
});

describe('alreadySet', () => {
  const jane = contact({
    name: 'Jane Smith',
    firstName: 'Jane',
    lastName: 'Smith',
    attributes: { Town: 'York' },
  });
  const names = { name: 'Jane Smith', firstName: 'Jane', lastName: 'Smith' };
  it.each<[string, WhatChanges, ContactChange]>([
    ['a field that differs', { set: { notes: 'n' } }, {}],
    ['an empty one', { set: { notes: null } }, { notes: null }],
    ['one name, with the others', { set: { firstName: 'Jane' } }, names],
    ['no name when another one differs', { set: { firstName: 'Jane', lastName: 'Ash' } }, {}],
    [
      'a field under its own name',
      { set: { attributes: { town: 'York' } } },
      { attributes: { Town: 'York' } },
    ],
    [
      'one that nobody has',
      { set: { attributes: { constructor: null } } },
      { attributes: { constructor: null } },
    ],
    ['one of two', { set: { notes: 'n', attributes: { Town: 'York' } } }, { attributes: { Town: 'York' } }],
    ['what is filled, when only empty ones are', { set: { firstName: 'Jane' }, onlyEmpty: true }, {}],
    ['splitting', { splitNames: true }, {}],
  ])('%s', (_what, what, expected) => {
    expect(alreadySet(jane, (fieldsAfter(jane, what) ?? jane) as ContactFields, what)).toEqual(expected);
  });
});

describe('fieldsBack', () => {
  const text = fc.constantFrom('a', 'b', 'c');
  const key = fc.constantFrom('phone', 'town');
  const made = fc.record({
    name: fc.option(text),
    firstName: fc.option(text),
    lastName: fc.option(text),
    notes: fc.option(text),
    attributes: fc.dictionary(key, text),
  });
  const change = fc.record(
    {
      firstName: fc.option(text),
      lastName: fc.option(text),
      notes: fc.option(text),
      attributes: fc.dictionary(key, fc.option(text)),
    },
    { requiredKeys: [] },
  );
  const keptOf = (before: ContactFields, after: ContactFields) => {
    const { expected, ...back } = takenBack(before, after);
    return { before: back, after: expected };
  };
  const withoutOrder = ({ attributes, ...rest }: ContactFields) => ({
    ...rest,
    attributes: Object.entries(attributes).sort(),
  });

  it('gives everything back when nothing happened since', () => {
    fc.assert(
      fc.property(made, change, (before, set: ContactChange) => {
        const after = fieldsAfter(before, { set });
        if (after === null || after === 'full') return;
        const back = fieldsBack(after, keptOf(before, after));
        expect(back?.isWhole).toBe(true);
        expect(withoutOrder(back?.fields as ContactFields)).toEqual(withoutOrder(before));
      }),
    );
  });

  it('never touches a field that was changed since, and gives the others back', () => {
    fc.assert(
      fc.property(made, change, change, (before, set: ContactChange, later: ContactChange) => {
        const after = fieldsAfter(before, { set });
        if (after === null || after === 'full') return;
        const now = changedFields(after, later);
        const fields = fieldsBack(now, keptOf(before, after))?.fields ?? now;
        const valueIn = (one: ContactFields, name: string) =>
          Object.hasOwn(one.attributes, name) ? one.attributes[name] : undefined;
        if (now.notes === after.notes) expect(fields.notes).toBe(before.notes);
        else expect(fields.notes).toBe(now.notes);
        for (const name of ['phone', 'town']) {
          const isOthers = valueIn(now, name) !== valueIn(after, name);
          expect(valueIn(fields, name)).toBe(valueIn(isOthers ? now : before, name));
        }
        const names = (one: ContactFields) => [one.name, one.firstName, one.lastName];
        const isOurs = names(before).join() !== names(after).join();
        const isOthers = names(now).join() !== names(after).join();
        expect(names(fields)).toEqual(names(isOurs && !isOthers ? before : now));
      }),
    );
  });
});

it.each<[WhatChanges, number, string]>([
  [{ set: { firstName: 'Jane' } }, 1204, 'Set first name of 1,204 contacts'],
  [{ set: { notes: null } }, 1, 'Clear notes of 1 contact'],
  [{ set: { attributes: { 'VAT no': '' } } }, 2, 'Clear VAT no of 2 contacts'],
  [{ set: { notes: null, attributes: { phone: '1' } } }, 2, 'Set notes, phone of 2 contacts'],
  [{ splitNames: true }, 2, 'Fill first and last names of 2 contacts'],
])('%j says %s', (what, contacts, words) => {
  expect(changeInWords(what, contacts)).toBe(words);
});

it('names the fields of a change', () => {
  expect(fieldsOfChange({ notes: null, name: undefined, attributes: { phone: 'x' } })).toEqual([
    'notes',
    'attributes.phone',
  ]);
});
