import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { countsGiven } from './lists/batch-queries.ts';
import { countEntries } from './queries.ts';
import { raiseReasons } from './reason-queries.ts';
import { suppressRecipient } from './suppress-addresses.ts';

// An entry has one reason, the weightiest that was given for its address, however they came.

let product: TestApp;
let me: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
  product.tasks.startWork();
});
afterAll(() => product.close());
beforeEach(async () => {
  me = await signUp(product.app);
});
afterEach(async () => {
  expect(await asMe((tx) => checkBooks(tx, me.workspaceId))).toEqual([]);
});

const asMe = <T>(work: (tx: TenantTx) => Promise<T>) => product.database.asTenant(me.workspaceId, work);
const ann = { local: 'ann', domain: 'acme.co.uk' };
const entryOfAnn = async () => {
  const { rows } = await sql<{ reason: string; refusesAll: boolean; note: string | null }>`
    select reason, refuses_all as "refusesAll", note from suppressions
    where workspace_id = ${me.workspaceId} and local = 'ann' and domain = 'acme.co.uk'`.execute(
    product.owner.system,
  );
  return rows[0];
};
const tell = (
  reason: 'manual' | 'unsubscribed' | 'bounced' | 'complained' | 'erased' | 'imported',
  note: string | null,
) => asMe((tx) => suppressRecipient(tx, me.workspaceId, { ...ann, reason, note }));
const raise = async (tx: TenantTx, ...reasons: string[]) => {
  const given = sql`
    select 'ann' as local, 'acme.co.uk' as domain, reason, 'From “News”' as note
    from unnest(${reasons}::text[]) as g (reason)`;
  const changes = await raiseReasons(tx, me.workspaceId, given);
  await countEntries(
    tx,
    me.workspaceId,
    'email',
    countsGiven(new Map(changes.map(({ part, entries }) => [part, entries]))),
  );
};

describe('an entry that is given another reason', () => {
  it.each([
    ['manual', 'unsubscribed', 'unsubscribed', false],
    ['imported', 'complained', 'complained', false],
    ['bounced', 'unsubscribed', 'unsubscribed', true],
    ['bounced', 'complained', 'complained', false],
    ['unsubscribed', 'complained', 'complained', false],
    ['unsubscribed', 'bounced', 'unsubscribed', true],
    ['manual', 'bounced', 'manual', true],
  ] as const)(
    '%s, then %s: says %s, and refuses receipts besides: %s',
    async (was, given, reason, refusesAll) => {
      await tell(was, 'By phone');
      await asMe((tx) => raise(tx, given));
      const entry = await entryOfAnn();
      expect(entry).toMatchObject({ reason, refusesAll });
      for (const part of ['By phone', 'From “News”']) expect(entry?.note).toContain(part);
    },
  );

  it.each([
    ['unsubscribed', 'unsubscribed'],
    ['unsubscribed', 'manual'],
    ['manual', 'imported'],
    ['complained', 'unsubscribed'],
    ['erased', 'complained'],
    ['complained', 'bounced'],
    ['bounced', 'bounced'],
  ] as const)('%s, then %s: says as much already', async (was, given) => {
    await tell(was, 'By phone');
    await asMe((tx) => raise(tx, given));
    expect(await entryOfAnn()).toEqual({ reason: was, refusesAll: false, note: 'By phone' });
  });

  it('keeps refusing receipts, once it does', async () => {
    await tell('unsubscribed', 'By phone');
    await tell('bounced', '550 No such user');
    const bounced = { reason: 'unsubscribed', refusesAll: true };
    expect(await entryOfAnn()).toEqual({ ...bounced, note: 'By phone. Bounced since: 550 No such user' });
    await tell('bounced', null);
    await tell('complained', null);
    expect(await entryOfAnn()).toMatchObject({
      ...{ reason: 'complained', refusesAll: true },
      note: 'On the list before: unsubscribed, By phone. Bounced since: 550 No such user',
    });
  });

  it('takes the weightiest of several, and that it bounced besides', async () => {
    await tell('manual', null);
    await asMe((tx) => raise(tx, 'bounced', 'unsubscribed', 'manual'));
    expect(await entryOfAnn()).toMatchObject({ reason: 'unsubscribed', refusesAll: true });
  });

  it('does not take back what somebody else gives it meanwhile', async () => {
    await tell('manual', null);
    const isWaiting = async () => {
      const { rows } = await sql`
        select from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'transactionid' and not l.granted and a.datname = current_database()`.execute(
        product.owner.system,
      );
      return rows.length > 0;
    };
    const held = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    const complaint = asMe(async (tx) => {
      await suppressRecipient(tx, me.workspaceId, { ...ann, reason: 'complained', note: null });
      held.resolve();
      await free.promise;
    });
    await held.promise;
    // A list has no lock on the figures while its lines come in.
    const list = asMe((tx) => raise(tx, 'unsubscribed'));
    try {
      await expect.poll(isWaiting).toBe(true);
    } finally {
      free.resolve();
      await complaint;
    }
    await list;
    expect(await entryOfAnn()).toMatchObject({ reason: 'complained' });
  });
});
