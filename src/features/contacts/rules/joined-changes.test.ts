import { expect, it } from 'vitest';
import type { Changed } from '../contract/contact-events.ts';
import { joinedChanges } from './joined-changes.ts';

const at = (minute: number, by: string | null, ...fields: string[]): Changed => ({
  kind: 'changed',
  at: new Date(Date.UTC(2026, 10, 22, 10, minute)).toISOString(),
  by,
  fields,
});

it.each<[string, Changed[], Changed[]]>([
  ['nothing', [], []],
  ['one', [at(5, 'ann', 'notes')], [at(5, 'ann', 'notes')]],
  [
    'one after the other, in the order they were made',
    [at(9, 'ann', 'notes'), at(7, 'ann', 'firstName', 'name'), at(5, 'ann', 'notes', 'lastName')],
    [at(9, 'ann', 'notes', 'lastName', 'firstName', 'name')],
  ],
  [
    'a long chain',
    [at(50, 'ann', 'c'), at(38, 'ann', 'b'), at(26, 'ann', 'a')],
    [at(50, 'ann', 'a', 'b', 'c')],
  ],
  [
    'much later',
    [at(30, 'ann', 'notes'), at(5, 'ann', 'notes')],
    [at(30, 'ann', 'notes'), at(5, 'ann', 'notes')],
  ],
  [
    'by somebody else in between',
    [at(9, 'ann', 'a'), at(8, 'bob', 'b'), at(7, 'ann', 'c')],
    [at(9, 'ann', 'a'), at(8, 'bob', 'b'), at(7, 'ann', 'c')],
  ],
])('%s', (_what, given, joined) => {
  expect(joinedChanges(given)).toEqual(joined);
});
