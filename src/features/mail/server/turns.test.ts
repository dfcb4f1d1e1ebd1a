import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SystemDb } from '#platform/server/database.ts';
import { createLogger } from '#platform/server/logging.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { signUp } from '#test/support/sign-in.ts';
import type { MailKind } from '../contract.ts';
import { createMail } from './index.ts';
import { claimNext, markFailed } from './queries.ts';

// One workspace has much to say. Mail of others, and of whoever cannot sign in, goes out beside it.

let test: TestApp;
let first: number;
let second: number;

beforeAll(async () => {
  test = await openTestApp();
  [first, second] = [(await signUp(test.app)).workspaceId, (await signUp(test.app)).workspaceId];
});
beforeEach(() => sql`delete from outbox`.execute(test.database.system));
afterAll(() => test.close());

/** Puts so many mails into the outbox, which are due one after the other. */
async function put(workspaceId: number | null, name: string, many: number, kind: MailKind = 'notice') {
  const config = { publicUrl: 'http://localhost', smtpUrl: 'smtp://localhost', mailFrom: 'post@example.org' };
  const mail = createMail({ db: test.database, config, log: createLogger('silent') });
  const content = { title: 'News', paragraphs: [], reason: 'You asked for it.' };
  for (let at = 1; at <= many; at += 1)
    await mail.send(test.database.system, {
      ...{ to: `${name}-${at}@millbank.co.uk`, kind, workspaceId, subject: 'News', content },
    });
}
const claim = async (many: number): Promise<(string | undefined)[]> => {
  const names: (string | undefined)[] = [];
  for (let at = 0; at < many; at += 1)
    names.push((await claimNext(test.database.system))?.recipient.replace('@millbank.co.uk', ''));
  return names;
};
/** What this connection has read of the outbox. PostgreSQL counts the last second's tests too. */
async function readSoFar(tx: SystemDb): Promise<{ scans: number; byIndex: number }> {
  const { rows } = await sql<{ scans: number; byIndex: number }>`
    select sum(seq_scan)::int as scans, sum(coalesce(idx_tup_fetch, 0))::int as "byIndex"
    from pg_stat_xact_user_tables where relname = 'outbox'`.execute(tx);
  return rows[0] as { scans: number; byIndex: number };
}

describe('the next mail', () => {
  it('is the one with which somebody signs in, however many wait before it', async () => {
    await put(first, 'notice', 50);
    await put(null, 'reset', 1, 'password_reset');
    await put(null, 'proof', 1, 'email_proof');
    expect(await claim(3)).toEqual(['reset-1', 'proof-1', 'notice-1']);
  });

  it('is that of the workspace whose last one was tried longest ago', async () => {
    await put(first, 'one', 4);
    await put(second, 'two', 2);
    expect(await claim(7)).toEqual(['one-1', 'two-1', 'one-2', 'two-2', 'one-3', 'one-4', undefined]);
  });

  it('is another while one waits for its next try', async () => {
    await put(first, 'one', 1);
    const mail = await claimNext(test.database.system);
    if (mail) await markFailed(test.database.system, mail, 'later', 1);
    await put(second, 'two', 2);
    expect(await claim(3)).toEqual(['two-1', 'two-2', undefined]);
    await sql`update outbox set next_try_at = now() where workspace_id = ${first}`.execute(
      test.database.system,
    );
    expect(await claim(1)).toEqual(['one-1']);
  });

  it('is found without reading what was sent, or the rest of what waits', async () => {
    await sql`
      insert into outbox (workspace_id, kind, recipient, subject, status, next_try_at, tried_at)
      select ${first}::bigint, 'notice', 'old', 'News', 'sent', null::timestamptz, now() - make_interval(secs => n)
      from generate_series(1, 20000) n
      union all
      select ${second}::bigint, 'notice', 'waiting', 'News', 'waiting', now() - make_interval(secs => n), null
      from generate_series(1, 20000) n`.execute(test.owner.system);
    await sql`analyze outbox`.execute(test.owner.system);
    await put(first, 'one', 1);
    const { mail, scans, byIndex } = await test.database.system.transaction().execute(async (tx) => {
      // At this size PostgreSQL sometimes takes reading all for as cheap. What counts is that there
      // is another way, which it takes for more.
      await sql`set local enable_seqscan = off`.execute(tx);
      const before = await readSoFar(tx);
      const mail = await claimNext(tx);
      const after = await readSoFar(tx);
      return { mail, scans: after.scans - before.scans, byIndex: after.byIndex - before.byIndex };
    });
    expect(mail?.recipient).toBe('waiting');
    expect(scans).toBe(0);
    expect(byIndex).toBeGreaterThan(0);
    expect(byIndex).toBeLessThan(20);
  });
});
