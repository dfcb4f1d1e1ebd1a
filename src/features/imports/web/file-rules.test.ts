import { describe, expect, it } from 'vitest';
import { onlyCsv, refusalOf } from './file-rules.ts';

const megabyte = 1_048_576;

describe('a file chosen for import', () => {
  it.each(['list.csv', 'LIST.CSV', 'a.b.csv'])('takes %s', (name) => {
    expect(refusalOf({ name, size: 10 }, 100)).toBeNull();
  });

  it.each(['list.xlsx', 'list.csv.png', 'csv', 'list.txt'])('refuses %s', (name) => {
    expect(refusalOf({ name, size: 10 }, 100)).toBe(onlyCsv);
  });

  it('takes a file of exactly the size allowed and refuses one byte more, naming the limit', () => {
    expect(refusalOf({ name: 'a.csv', size: 100 * megabyte }, 100)).toBeNull();
    expect(refusalOf({ name: 'a.csv', size: 100 * megabyte + 1 }, 100)).toContain('100 MB');
    expect(refusalOf({ name: 'a.csv', size: 3 * megabyte }, 2)).toContain('2 MB');
  });

  it('leaves the size to the server while the limit is not known', () => {
    expect(refusalOf({ name: 'a.csv', size: 5000 * megabyte }, undefined)).toBeNull();
  });
});
