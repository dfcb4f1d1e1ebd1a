import { expect, it } from 'vitest';
import { type AddressChange, takenBack } from './taken-back.ts';

const day = (number: number) => new Date(Date.UTC(2026, 10, number));
const change = (
  id: number,
  [from, to]: [string, string],
  made: number,
  undone: number | null = null,
): AddressChange => ({ id, from, to, at: day(made), undoneAt: undone === null ? null : day(undone) });

it.each<[string, AddressChange[], string, number[]]>([
  ['none of what still stands', [change(1, ['a', 'b'], 1)], 'b', []],
  ['one that was undone', [change(1, ['a', 'b'], 1, 2)], 'a', [1]],
  ['not one whose undoing left the contact as it was', [change(1, ['a', 'b'], 1, 2)], 'b', []],
  [
    'two, one after the other, each on its own',
    [change(2, ['b', 'c'], 2, 3), change(1, ['a', 'b'], 1, 4)],
    'a',
    [1, 2],
  ],
  [
    'the later alone, where the earlier stands',
    [change(2, ['b', 'c'], 2, 3), change(1, ['a', 'b'], 1)],
    'b',
    [2],
  ],
  [
    'the first of two that were made in turn',
    [change(2, ['a', 'b'], 3), change(1, ['a', 'b'], 1, 2)],
    'b',
    [1],
  ],
  [
    'not the earlier, which was undone while the later stood',
    [change(2, ['b', 'c'], 2), change(1, ['a', 'b'], 1, 3)],
    'c',
    [],
  ],
])('the corrections that were taken back are %s', (_which, changes, now, expected) => {
  expect([...takenBack(changes, now)]).toEqual(expected);
});
