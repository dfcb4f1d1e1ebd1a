import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inBackground } from '#platform/server/call-context.ts';
import { createLogger } from '#platform/server/logging.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { signUp } from '#test/support/sign-in.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';
import { Books } from './books/books.ts';
import { PartQueue, type PartQueueOptions } from './engine/part-queue.ts';
import { ServersFull } from './engine/part-run.ts';
import type { Transport } from './engine/transport.ts';
import type { WrittenMessage } from './engine/writer.ts';
import { openSending } from './mailings.ts';
import type { PartRow } from './part-queries.ts';
import { releaseUncertain } from './recipient-queries.ts';
import { ConnectError } from './smtp/sockets.ts';

// Parts are locked before their mailing. Whoever did it the other way round would wait for somebody
// who waits for them, and a person who presses a button meanwhile would be refused.

let test: TestApp;
let workspaceId: number;
let mailingId: number;
let row: PartRow;
let lease: string;

beforeAll(async () => {
  test = await openTestApp();
});
beforeEach(async () => {
  ({ workspaceId } = await signUp(test.app));
  const { system } = test.owner;
  const { rows } = await sql<{ id: number }>`
    insert into mailings (workspace_id, kind, status, name, from_name, from_address, subject, html, text, tracks_opens,
      tracks_clicks, started_at, notice)
    values (${workspaceId}, 'campaign', 'sending', 'News', 'A', 'a@shop.co.uk', 'News', '', '', false, false, now(), 'Slow')
    returning id`.execute(system);
  mailingId = rows[0]?.id ?? 0;
  await sql`
    insert into sends (workspace_id, mailing_id, id, local, domain, state, attempts)
    values (${workspaceId}, ${mailingId}, 1, 'p1', 'shop.co.uk', 'uncertain', 1),
      (${workspaceId}, ${mailingId}, 2, 'p2', 'shop.co.uk', 'pending', 0)`.execute(system);
  lease = randomUUID();
  const { rows: parts } = await sql<{ id: number }>`
    insert into send_parts (workspace_id, mailing_id, first_send, last_send, total, uncertain, lease, lease_until)
    values (${workspaceId}, ${mailingId}, 1, 2, 2, 1, ${lease}, clock_timestamp() + interval '1 hour')
    returning id`.execute(system);
  const key = { workspaceId, id: parts[0]?.id ?? 0, attempts: 1, cancelRequested: false };
  row = { ...key, mailingId, firstSend: 1, lastSend: 2, testGroup: null, variant: null };
});
afterAll(() => test.close());

/** Takes the part, and answers once it has it. */
type Take = () => Promise<void>;

/** Whether nobody holds the mailing. */
const isFree = () =>
  test.database.asTenant(workspaceId, async (tx) => {
    const { rows } = await sql`
      select from mailings where workspace_id = ${workspaceId} and id = ${mailingId} for update skip locked`.execute(
      tx,
    );
    return rows.length === 1;
  });

/**
 * Whether the mailing is free while `work` waits for the part. It has somebody take the part before
 * that.
 */
async function isFreeMeanwhile(work: (take: Take) => Promise<unknown>): Promise<boolean> {
  const taken = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const take = () => {
    const hold = test.database.asTenant(workspaceId, async (tx) => {
      await sql`select from send_parts where workspace_id = ${workspaceId} and id = ${row.id} for update`.execute(
        tx,
      );
      taken.resolve();
      await letGo.promise;
    });
    hold.catch(taken.reject);
    return taken.promise;
  };
  const done = inBackground(() => work(() => inBackground(take)));
  try {
    await taken.promise;
    await expect.poll(() => waitingForLocks(test), { timeout: 20_000 }).toBe(1);
    return await isFree();
  } finally {
    letGo.resolve();
    await done;
  }
}

/** A run of the part, whose way out is this one. */
function run(transportFor: () => Promise<Transport>): Promise<void> {
  const { database: db } = test;
  const log = createLogger('silent');
  const queue = new PartQueue({
    ...{ kind: 'campaign', db, log, isStopping: () => false, transportFor },
    ...{ books: new Books(log, new Registry()), disk: { notice: () => undefined } },
    providers: { note: () => undefined },
    writtenWith: async () => ({}),
    writerOf: () => ({ write: async ({ id }: WrittenMessage) => ({ id }), close: () => undefined }),
  } as unknown as PartQueueOptions);
  const stopper = new AbortController();
  return queue.work({ run: { workspaceId, id: row.id, lease }, row, stopper, done: Promise.resolve() });
}

const throwing = (error: Error) => async (take: Take) => {
  await take();
  throw error;
};
/** Messages are kept, and somebody waits for the part until they are written down. */
const keeping = async (take: Take): Promise<Transport> => ({
  async keep() {
    void take();
    await expect.poll(() => waitingForLocks(test), { timeout: 20_000 }).toBe(1);
  },
});

const standing = async () => {
  const { rows } = await sql`
    select m.status, m.notice, p.lease, p.uncertain, p.deferred from mailings m
    join send_parts p on p.workspace_id = m.workspace_id and p.mailing_id = m.id
    where m.workspace_id = ${workspaceId}`.execute(test.owner.system);
  return rows[0];
};

describe('the mailing stays free while somebody waits for its part', () => {
  it.each([1, 'all'] as const)('to send again: %s', async (which) => {
    const again = async (take: Take) => {
      await take();
      await test.database.asTenant(workspaceId, (tx) => releaseUncertain(tx, workspaceId, mailingId, which));
    };
    expect(await isFreeMeanwhile(again)).toBe(true);
    expect(await standing()).toMatchObject({ status: 'sending', uncertain: 0, deferred: 1, lease });
  });

  it.each([
    [
      'its servers are full',
      throwing(new ServersFull({ notice: 'Full', waitSeconds: 5 })),
      'sending',
      'Full',
    ],
    ['its server is away', throwing(new ConnectError('Away', false)), 'sending', /^Away/],
    ['its server refuses to sign in', throwing(new ConnectError('Refused', true)), 'paused', 'Refused'],
    ['its messages are out', keeping, 'completed', null],
  ] as const)('to end a run because %s', async (_why, wayOut, status, notice) => {
    expect(await isFreeMeanwhile((take) => run(() => wayOut(take)))).toBe(true);
    const says = notice instanceof RegExp ? expect.stringMatching(notice) : notice;
    expect(await standing()).toMatchObject({ status, notice: says, lease: null, uncertain: 1 });
  });
});

it('a mailing is cancelled without waiting for a part that somebody has', async () => {
  await sql`
    update send_parts set lease = null, lease_until = clock_timestamp() + interval '1 hour'
    where workspace_id = ${workspaceId}`.execute(test.owner.system);
  const { cancel } = openSending({} as Parameters<typeof openSending>[0], () => undefined);
  const cancelled = () => test.database.asTenant(workspaceId, (tx) => cancel(tx, workspaceId, mailingId));
  await test.owner.system.transaction().execute(async (tx) => {
    await sql`select from send_parts where workspace_id = ${workspaceId} and id = ${row.id} for update`.execute(
      tx,
    );
    expect(await inBackground(cancelled)).toBe(true);
  });
  expect(await standing()).toMatchObject({ status: 'cancelled' });
});
