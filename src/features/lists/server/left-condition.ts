import { sql } from 'kysely';
import { z } from 'zod';
import { condition } from '#features/audience/server/index.ts';
import { hasLeft } from '#features/memberships/server/index.ts';
import type { Fragment } from '#platform/server/database.ts';
import { listKind } from './list-kind.ts';

/**
 * That the owner of the contact `c` has left one of these lists as a reader, by its address or by
 * one that the contact had before. `lists` is SQL of an array.
 */
export const hasLeftLists = (workspaceId: number, lists: Fragment): Fragment =>
  hasLeft(workspaceId, listKind, sql`any(${lists})`, 'c');

/**
 * Contacts who have left one of these lists as readers. For what follows up a campaign: somebody
 * who got it has perhaps left its list since.
 */
export const leftCondition = condition(
  {
    key: 'leftList',
    schema: z.array(z.number().int().positive()).min(1),
    bound: 'nothing',
    words: (lists) => `its owner left list ${lists.join(' or ')}`,
  },
  // Few have left. PostgreSQL reads them once for many contacts, and asks indexes for a few.
  (lists, { workspaceId }) =>
    hasLeftLists(workspaceId, sql`array[${sql.join(lists.map((id) => sql`${id}::bigint`))}]`),
);
