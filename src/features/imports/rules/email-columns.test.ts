import { expect, it } from 'vitest';
import { otherEmailColumns } from './email-columns.ts';

const columns = (...addresses: number[]) =>
  addresses.map((count, at) => ({ name: `c${at}`, addresses: count }));
const others = (...args: Parameters<typeof otherEmailColumns>) =>
  otherEmailColumns(...args).map(({ index }) => index);

it('further columns with addresses are told, the fullest first', () => {
  expect(others(columns(100, 0, 20, 60), [0])).toEqual([3, 2]);
  expect(others(columns(10, 90), [0])).toEqual([1]);
});

it('a stray address in another column is not', () => {
  expect(others(columns(1000, 3, 50), [0])).toEqual([]);
  expect(others(columns(1000, 51), [0])).toEqual([1]);
});

it('every address is, where the used column has none', () => {
  expect(others(columns(0, 1), [0])).toEqual([1]);
  expect(others(columns(5), [0])).toEqual([]);
});

it('a column that is headed so is told however few addresses it has', () => {
  const named = [
    { name: 'E-mail Address', addresses: 1000 },
    { name: 'E-mail 3 Address', addresses: 2 },
    { name: 'Notes', addresses: 2 },
    { name: 'Email type', addresses: 0 },
  ];
  expect(others(named, [0])).toEqual([1]);
  expect(others(named, [0, 1])).toEqual([]);
});
