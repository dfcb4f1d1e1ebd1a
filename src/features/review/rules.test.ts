import { describe, expect, it } from 'vitest';
import { bestToKeep, type MergeableFields, mergedFields } from './rules.ts';

const contact = (id: number, fields: Partial<MergeableFields> = {}) => ({
  id,
  state: 0,
  name: null,
  firstName: null,
  lastName: null,
  source: null,
  date: null,
  notes: null,
  attributes: null,
  ...fields,
});
const jane = { name: 'Jane Smith', firstName: 'Jane', lastName: 'Smith' };
const bob = { name: 'Bob Jones', firstName: 'Bob', lastName: 'Jones' };

describe('mergedFields', () => {
  it.each([
    ['the kept one’s own', contact(1, jane), contact(2, bob), {}, jane],
    ['the other’s when it has none', contact(1), contact(2, bob), {}, bob],
    ['the chosen one’s', contact(1, jane), contact(2, bob), { name: 2 }, bob],
    ['nobody’s when that was chosen', contact(1, jane), contact(2), { name: 2 }, contact(2)],
    [
      'never the first name of one and the last name of another',
      contact(1, { name: 'Jane', firstName: 'Jane' }),
      contact(2, bob),
      {},
      { name: 'Jane', firstName: 'Jane', lastName: null },
    ],
    [
      'first and last name from another of the same name',
      contact(1, { name: 'JANE SMITH' }),
      contact(2, jane),
      {},
      { ...jane, name: 'JANE SMITH' },
    ],
    [
      'but of no other name',
      contact(1, { name: 'Acme Ltd' }),
      contact(2, jane),
      {},
      { name: 'Acme Ltd', firstName: null, lastName: null },
    ],
    [
      'a last name alone counts as a name',
      contact(1, { lastName: 'Smith' }),
      contact(2, bob),
      {},
      { lastName: 'Smith' },
    ],
  ])(
    'names: %s',
    (_what, kept, other, choice, {
      name = null,
      firstName = null,
      lastName = null,
    }: Partial<MergeableFields>) => {
      const merged = mergedFields(kept, [other], choice);
      expect([merged.name, merged.firstName, merged.lastName]).toEqual([name, firstName, lastName]);
    },
  );

  it('combines the rest', () => {
    const kept = contact(1, { notes: 'kept', attributes: { phone: '1' } });
    const other = contact(2, { notes: 'other', source: 'Leeds', attributes: { phone: '2', town: 'York' } });
    expect(mergedFields(kept, [other], {})).toMatchObject({
      notes: 'kept',
      source: 'Leeds',
      attributes: { phone: '1', town: 'York' },
    });
    expect(mergedFields(kept, [other], { notes: 2 }).notes).toBe('other');
  });
});

it('keeps the contact that most is known of', () => {
  expect(bestToKeep([contact(1, { name: 'Jane Smith' }), contact(2, jane)])?.id).toBe(2);
  expect(bestToKeep([contact(3), contact(2)])?.id).toBe(2);
});
