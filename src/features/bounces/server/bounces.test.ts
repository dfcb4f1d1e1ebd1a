import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inBackground } from '#platform/server/call-context.ts';
import type { SystemDb } from '#platform/server/database.ts';
import { createLogger } from '#platform/server/logging.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { signUp } from '#test/support/sign-in.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';
import { BounceBook } from './bounces.ts';
import { insertBounces, type NewBounce } from './queries.ts';

// Whoever is told of bounces in one order, and tells the suppression list of them in another, may
// wait for somebody who waits for them.

let test: TestApp;
let workspaceId: number;
let book: BounceBook;

beforeAll(async () => {
  test = await openTestApp();
});
beforeEach(async () => {
  ({ workspaceId } = await signUp(test.app));
  const { database: db } = test;
  book = new BounceBook({
    db,
    log: createLogger('silent'),
    sends: () => undefined,
    mailings: () => undefined,
  });
});
afterAll(() => test.close());

const bounce = (mailingId: number): NewBounce => ({
  ...{ mailingId, sendId: 1, event: 'bounce', class: 'hard', kind: 'bad_address', fault: 'address' },
  ...{ source: 'webhook', said: '550', counts: false, contactId: null },
  ...{ local: `reader-${mailingId}`, domain: 'acme.co.uk' },
});

const rowOf = (table: 'bounces' | 'mailing_bounces', mailingId: number, how: 'wait' | 'skip locked') => sql`
  select from ${sql.table(table)} where workspace_id = ${workspaceId} and mailing_id = ${mailingId}
  for update ${how === 'wait' ? sql`` : sql`skip locked`}`;

describe('telling the suppression list', () => {
  it.each(['bounces', 'mailing_bounces'] as const)(
    'takes the rows of %s by mailing, whichever bounce was first',
    async (table) => {
      for (const mailingId of [7, 5])
        await test.database.asTenant(workspaceId, (tx) =>
          insertBounces(tx, workspaceId, [bounce(mailingId)]),
        );
      let telling: Promise<void> | undefined;
      const isFree = async (db: SystemDb) => (await rowOf(table, 7, 'skip locked').execute(db)).rows.length;
      await test.owner.system.transaction().execute(async (tx) => {
        await rowOf(table, 5, 'wait').execute(tx);
        telling = inBackground(() => book.carryOut(workspaceId));
        await expect.poll(() => waitingForLocks(test), { timeout: 20_000 }).toBe(1);
        expect(await isFree(tx)).toBe(1);
      });
      await telling;
      const { rows } = await sql`
        select from bounces where workspace_id = ${workspaceId} and has_suppressed and not is_due`.execute(
        test.owner.system,
      );
      expect(rows).toHaveLength(2);
    },
  );
});
