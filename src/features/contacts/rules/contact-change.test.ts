import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attributesProblem,
  type ContactChange,
  type ContactFields,
  changedFields,
  fieldsInWords,
  fieldsNotAs,
  fieldsThatDiffer,
  mostAttributes,
  takenBack,
  withoutChange,
} from './contact-change.ts';

const fields = (some: Partial<ContactFields> = {}): ContactFields => ({
  name: 'Jane Smith',
  firstName: 'Jane',
  lastName: 'Smith',
  notes: 'met in York',
  attributes: { phone: '1', town: 'York' },
  ...some,
});

describe('changedFields', () => {
  it.each<[string, ContactChange, Partial<ContactFields>]>([
    ['nothing', {}, {}],
    ['notes', { notes: 'new' }, { notes: 'new' }],
    ['no notes', { notes: null }, { notes: null }],
    ['empty notes', { notes: '' }, { notes: null }],
    ['one extra field of two', { attributes: { phone: '2' } }, { attributes: { phone: '2', town: 'York' } }],
    [
      'another extra field',
      { attributes: { fax: '3' } },
      { attributes: { phone: '1', town: 'York', fax: '3' } },
    ],
    ['one removed', { attributes: { phone: null } }, { attributes: { town: 'York' } }],
    ['one emptied', { attributes: { phone: '' } }, { attributes: { town: 'York' } }],
    ['one that is not there removed', { attributes: { fax: null } }, {}],
    ['none', { attributes: { phone: null, town: null } }, { attributes: {} }],
    ['names', { lastName: 'Jones' }, { name: 'Jane Jones', lastName: 'Jones' }],
  ])('%s', (_what, change, after) => {
    expect(changedFields(fields(), change)).toEqual(fields(after));
  });

  it('takes any name for a name', () => {
    const odd = JSON.parse('{"__proto__": "a", "constructor": "b", "toString": "c"}');
    const after = changedFields(fields({ attributes: {} }), { attributes: odd });
    expect(JSON.stringify(after.attributes)).toBe(JSON.stringify(odd));
    expect(fieldsThatDiffer(fields({ attributes: {} }), after)).toHaveLength(3);
    expect(changedFields(after, { attributes: { constructor: null, toString: null } }).attributes).toEqual(
      JSON.parse('{"__proto__": "a"}'),
    );
  });
});

const key = fc.constantFrom('phone', 'town', 'fax');
const text = fc.constantFrom('a', 'b', 'c');
const made = fc.record({
  name: fc.option(text),
  firstName: fc.option(text),
  lastName: fc.option(text),
  notes: fc.option(text),
  attributes: fc.dictionary(key, text),
});
const changing = fc.record(
  {
    name: fc.option(text),
    firstName: fc.option(text),
    lastName: fc.option(text),
    notes: fc.option(text),
    attributes: fc.dictionary(key, fc.option(text)),
  },
  { requiredKeys: [] },
);
const sorted = (one: ContactFields) => [
  one.name,
  one.firstName,
  one.lastName,
  one.notes,
  Object.entries(one.attributes).sort(),
];

describe('fieldsThatDiffer and fieldsNotAs', () => {
  it('name what a change made different, and nothing else', () => {
    fc.assert(
      fc.property(made, made, (one, other) => {
        const differ = fieldsThatDiffer(one, other);
        expect(differ.length === 0).toBe(JSON.stringify(sorted(one)) === JSON.stringify(sorted(other)));
        expect(fieldsThatDiffer(other, one)).toEqual(differ);
        // A field that only the first has is seen as absent by naming it as null.
        const absent = Object.fromEntries(Object.keys(one.attributes).map((name) => [name, null]));
        expect(fieldsNotAs(one, { ...other, attributes: { ...absent, ...other.attributes } })).toEqual(
          differ,
        );
        expect(fieldsNotAs(one, {})).toEqual([]);
        expect(fieldsNotAs(one, one)).toEqual([]);
      }),
    );
  });
  it('are gone when a change is taken back, whatever it followed', () => {
    fc.assert(
      fc.property(made, changing, (before, wanted) => {
        const after = changedFields(before, wanted);
        const { expected, ...back } = takenBack(before, after);
        expect(fieldsNotAs(after, expected)).toEqual([]);
        expect(sorted(changedFields(after, back))).toEqual(sorted(before));
      }),
    );
  });

  it('asks only about what was seen', () => {
    expect(fieldsNotAs(fields(), { notes: 'else' })).toEqual(['notes']);
    expect(fieldsNotAs(fields(), { notes: 'met in York', attributes: { phone: '1', fax: null } })).toEqual(
      [],
    );
    expect(fieldsNotAs(fields(), { attributes: { phone: '2', town: null, fax: '3' } })).toEqual([
      'attributes.fax',
      'attributes.phone',
      'attributes.town',
    ]);
    expect(fieldsNotAs(fields({ notes: null }), { notes: '' })).toEqual([]);
  });
});

describe('withoutChange', () => {
  it.each<[string, ContactChange, ContactChange, Partial<ContactFields>]>([
    ['notes', { notes: 'theirs' }, { firstName: 'Ann' }, { notes: 'theirs' }],
    ['a name', { lastName: 'Jones' }, { notes: 'mine' }, { name: 'Jane Jones', lastName: 'Jones' }],
    ['another name', { lastName: 'Jones' }, { firstName: 'Ann' }, { name: 'Jane Jones', lastName: 'Jones' }],
    [
      'an extra field',
      { attributes: { phone: '2' } },
      { attributes: { town: null } },
      {
        attributes: { phone: '2', town: 'York' },
      },
    ],
    [
      'a new extra field',
      { attributes: { fax: '3' } },
      { name: 'Ann Ash' },
      {
        attributes: { phone: '1', town: 'York', fax: '3' },
      },
    ],
  ])('keeps %s that others have changed meanwhile', (_what, theirs, mine, left) => {
    const after = changedFields(changedFields(fields(), theirs), mine);
    const before = withoutChange(fields(), mine, after);
    expect(sorted(before)).toEqual(sorted(fields(left)));
    const { expected: _, ...back } = takenBack(before, after);
    expect(sorted(changedFields(after, back))).toEqual(sorted(fields(left)));
  });

  it('is what was seen, where nobody else has changed anything', () => {
    fc.assert(
      fc.property(made, changing, (seen, mine) => {
        expect(sorted(withoutChange(seen, mine, changedFields(seen, mine)))).toEqual(sorted(seen));
      }),
    );
  });
});

describe('attributesProblem', () => {
  const problem = (before: Record<string, string>, after: Record<string, string>) =>
    attributesProblem(fields({ attributes: before }), fields({ attributes: after }));

  it.each([
    [{}, { phone: '1' }, null],
    [{}, { email: '1' }, /every contact has it/],
    [{}, { First_Name: '1' }, /every contact has it/],
    [{ email: '1' }, { email: '2' }, null],
    [{}, { ' phone': '1' }, /blank/],
    [{}, { ' ': '1' }, /blank/],
    [{ Phone: '1' }, { Phone: '1', phone: '2' }, /“Phone” already/],
    [{ Phone: '1', phone: '2' }, { Phone: '1', phone: '3' }, null],
    [{ Phone: '1' }, { phone: '2' }, null],
  ])('from %j to %j', (before, after, words) => {
    if (words === null) expect(problem(before, after)).toBeNull();
    else expect(problem(before, after)).toMatch(words);
  });

  it('limits how many there are, unless there were more', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`field ${index}`, 'x']));
    expect(problem({}, many(mostAttributes))).toBeNull();
    expect(problem({}, many(mostAttributes + 1))).toMatch(/at most 200/);
    expect(problem(many(300), many(300))).toBeNull();
    expect(problem(many(300), many(299))).toBeNull();
  });
});

it.each([
  [['notes'], 'notes'],
  [['name', 'firstName', 'notes'], 'first name, notes'],
  [['name'], 'name'],
  [['attributes.phone', 'attributes.attributes.x'], 'phone, attributes.x'],
  [['somethingNewer'], 'somethingNewer'],
  [[], ''],
])('says %j as %j', (given, words) => {
  expect(fieldsInWords(given)).toBe(words);
});
