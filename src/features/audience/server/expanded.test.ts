import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import type { ConditionRule, Tree } from '../rules/tree.ts';
import type { AsOf } from './as-of.ts';
import { audienceOf } from './audience.ts';
import { expandedCondition } from './condition.ts';

// A condition that stands for a stored tree, as the members of a list that fills itself do.

const workspace = 1;
const lists = new Map<number, Tree>();
const listRule: ConditionRule<number> & { bound: 'nothing' } = {
  key: 'keptList',
  schema: z.number().int(),
  bound: 'nothing',
  words: (id) => `it is on list ${id}`,
};
const onList = expandedCondition(listRule, async (_tx, _workspaceId, id) => {
  const tree = lists.get(id);
  if (!tree) throw new AppError('invalid_input', 'The list is not there any more.');
  return tree;
});
const audience = audienceOf([onList]);
let made: TestDatabase;
let db: Database;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  await db.asTenant(workspace, (tx) =>
    sql`insert into contacts (workspace_id, local, domain)
      select ${workspace}::bigint, 'p' || n, case when n % 3 = 0 then 'acme.co.uk' else 'shop.co.uk' end
      from generate_series(1, 30) n`.execute(tx),
  );
  lists.set(1, { version: 1, all: [{ condition: 'domain', value: 'acme.co.uk' }] });
  lists.set(2, { version: 1, none: [{ condition: 'keptList', value: 1 }] });
  lists.set(3, { version: 1, all: [] });
  lists.set(4, { version: 1, any: [{ condition: 'keptList', value: 4 }] });
});
afterAll(async () => {
  await db.close();
  await made.drop();
});

const on = (...ids: number[]): Tree => ({
  version: 1,
  all: ids.map((value) => ({ condition: 'keptList', value })),
});
const found = (tree: Tree) =>
  db.asTenant(workspace, async (tx) => {
    const { rows } = await sql<{ id: number }>`${await audience.ids(tx, workspace, tree)}`.execute(tx);
    const alone = await audience.conditionForWalk(tx, workspace, tree);
    const walked = await sql<{ id: number }>`select c.id from contacts c where ${alone}`.execute(tx);
    expect(walked.rows).toHaveLength(rows.length);
    return rows.length;
  });

it.each<[Tree, number]>([
  [on(1), 10],
  [on(2), 20],
  [on(1, 2), 0],
  [on(1, 3), 10],
  [{ version: 1, none: [{ condition: 'keptList', value: 3 }] }, 0],
  [{ version: 1, any: [{ condition: 'keptList', value: 3 }] }, 30],
])('%j means %i of 30', async (tree, count) => {
  expect(await found(tree)).toBe(count);
});

it('says what is wrong where a list is gone or leads back to itself', async () => {
  await expect(found(on(9))).rejects.toThrow('The list is not there any more.');
  await expect(found(on(1, 4))).rejects.toThrow('These rules go round in a circle');
});

it('means in work that waits what the list said when somebody confirmed it', async () => {
  const counted = (asOf?: AsOf) =>
    db.asTenant(workspace, async (tx) => {
      const alone = await audience.conditionForWalk(tx, workspace, on(6), asOf);
      return (await sql`select c.id from contacts c where ${alone}`.execute(tx)).rows.length;
    });
  const confirm = async (tree: Tree) => {
    const asOf = await db.asTenant(workspace, (tx) => audience.now(tx, workspace, tree));
    return audience.asOf.parse(JSON.parse(JSON.stringify(asOf)));
  };
  lists.set(6, { version: 1, all: [{ condition: 'domain', value: 'acme.co.uk' }] });
  const some = await confirm(on(6));
  lists.set(6, { version: 1, all: [] });
  const everybody = await confirm(on(6));
  lists.delete(6);
  expect([await counted(some), await counted(everybody)]).toEqual([10, 30]);
  await expect(counted()).rejects.toThrow('The list is not there any more.');
  // A tree that stands for itself is kept once.
  expect(await confirm({ version: 1, all: [] })).not.toHaveProperty('meant');
});

it('reads as strictly what is kept of it', () => {
  const given = (meant: object) => audience.asOf.safeParse({ lastId: 1, coming: [], meant }).success;
  expect(given({ version: 1, any: [{ all: [] }, { condition: 'domain', value: 'acme.co.uk' }] })).toBe(true);
  expect(given({ version: 1, any: [{ condition: 'later', value: 'acme.co.uk' }] })).toBe(false);
});

it('means what the list says now', async () => {
  lists.set(5, { version: 1, all: [{ condition: 'domain', value: 'acme.co.uk' }] });
  expect(await found(on(5))).toBe(10);
  lists.set(5, { version: 1, all: [{ condition: 'domain', value: 'shop.co.uk' }] });
  expect(await found(on(5))).toBe(20);
});
