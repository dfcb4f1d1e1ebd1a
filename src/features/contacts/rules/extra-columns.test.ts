import { expect, it } from 'vitest';
import { reservedNames } from './contact-change.ts';
import { basisColumnNames, columnOfField, fieldOfColumn } from './extra-columns.ts';

it('a field has a column of its own name, unless every contact has a column of that name', () => {
  const columns = ['phone', 'extra_phone', 'name', 'extra_name', 'Extra_Name'].map(columnOfField);
  expect(columns).toEqual(['phone', 'extra_phone', 'extra_name', 'extra_extra_name', 'extra_Extra_Name']);
});

it('a column leads back to its field, and no two fields have one column', () => {
  const names = [...reservedNames, ...basisColumnNames, 'phone', ''].flatMap((name) => [
    name,
    `extra_${name}`,
    `extra_extra_${name}`,
  ]);
  expect(names.map((name) => fieldOfColumn(columnOfField(name)))).toEqual(names);
  expect(new Set(names.map(columnOfField)).size).toBe(names.length);
});
