import { describe, expect, it } from 'vitest';
import { chosenColumns, columnChoices, columnLabel, usualColumns, usualKeys } from './contact-columns.tsx';

const keysOf = (columns: { key: string }[]) => columns.map(({ key }) => key);
const none = new Map<number, string>();

describe('chosen columns', () => {
  it('stand in the chosen order behind the address, which is always there', () => {
    expect(keysOf(chosenColumns(['risk', 'field:county', 'status'], none).columns)).toEqual([
      'address',
      'risk',
      'field:county',
      'status',
    ]);
    expect(keysOf(chosenColumns(['address'], none).columns)).toEqual(['address']);
  });

  it('leave out what this version does not have', () => {
    expect(keysOf(chosenColumns(['segment', 'name', 'field:'], none).columns)).toEqual(['address', 'name']);
    expect(columnLabel('segment')).toBeUndefined();
  });

  it('need more room the more there are', () => {
    const few = chosenColumns(['name'], none).minWidth;
    expect(chosenColumns(['name', 'notes'], none).minWidth).toBe(few + 200);
  });

  it('show an extra field by its own name alone', () => {
    const [, field] = chosenColumns(['field:constructor'], none).columns;
    expect(field?.cell({ attributes: {} } as never)).toBeNull();
  });
});

it('offers every column once, the extra fields last', () => {
  const keys = keysOf(columnChoices(['county', 'phone']));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.slice(-2)).toEqual(['field:county', 'field:phone']);
  expect(keys).toEqual(
    expect.arrayContaining([...usualKeys, 'import', 'domain', 'kind', 'risk', 'verifiedAt']),
  );
});

it('who chose none sees fewer in a narrow window', () => {
  const roomy = { verdict: true, ukClass: true, name: true, source: true };
  expect(keysOf(usualColumns(roomy))).toEqual(['address', ...usualKeys]);
  const narrow = { verdict: false, ukClass: false, name: false, source: false };
  expect(keysOf(usualColumns(narrow))).toEqual(['address', 'status', 'createdAt']);
});
