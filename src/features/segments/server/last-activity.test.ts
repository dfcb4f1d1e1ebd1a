import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { audienceOf } from '#features/audience/server/index.ts';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import type { SegmentCondition } from '../contract.ts';
import { type LastActivity, segmentConditions } from './conditions.ts';
import { gatherFields } from './fields.ts';
import { openSegments } from './segments.ts';

// Two features that report activity: one knows the notes, the other the date column.

const workspace = 1;
const sources: LastActivity[] = [() => sql`c.notes::timestamptz`, () => sql`c.date::timestamptz`];
const fields = gatherFields([], sources);
const audience = audienceOf(segmentConditions(() => sources));
let made: TestDatabase;
let db: Database;

beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
  await db.asTenant(workspace, (tx) =>
    sql`insert into contacts (workspace_id, local, domain, notes, date) values
      (${workspace}, 'ann', 'acme.co.uk', '2026-06-30T23:30:00Z', '2026-01-01'),
      (${workspace}, 'bob', 'acme.co.uk', null, '2026-11-20'),
      (${workspace}, 'tom', 'acme.co.uk', null, null)`.execute(tx),
  );
});
afterAll(async () => {
  await db.close();
  await made.drop();
});

it.each<[SegmentCondition['operator'], string, number]>([
  ['equals', '2026-07-01', 1],
  ['in_last_days', '7', 1],
  ['not_in_last_days', '7', 2],
  ['before', '2026-11-01', 1],
  ['is_empty', '', 1],
  ['is_not_empty', '', 2],
  ['starts_with', '2026', 2],
])('the newest activity, %s %s, is that of %i of three', async (operator, value, count) => {
  const now = () => new Date('2026-11-22T12:00:00Z');
  const segments = openSegments({ db, audience, fields: () => fields, now });
  const rules = { conditions: [{ field: 'lastActivity', operator, value }] };
  expect(await db.asTenant(workspace, (tx) => segments.count(tx, workspace, rules))).toBe(count);
});
