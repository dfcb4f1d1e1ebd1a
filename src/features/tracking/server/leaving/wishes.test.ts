import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { figuresLock } from '#features/rollups/server/locks.ts';
import { staysAway } from '#features/tracking/server/index.ts';
import { inBackground } from '#platform/server/call-context.ts';
import type { SystemDb } from '#platform/server/database.ts';
import { lockStatement } from '#platform/server/locks.ts';
import { createLogger } from '#platform/server/logging.ts';
import { miscounted } from '#test/support/miscounted.ts';
import { type Mailing, openTracked, type Tracked } from '#test/support/tracked-sends.ts';
import { WishBook } from './wish-book.ts';
import { hasOpenWish, selectOpenWishes } from './wish-queries.ts';
import { carryOutWishes } from './wishes.ts';

// Whoever leaves or takes a break does so at every address by which they are mailed, and no longer
// than they want to.

let tracked: Tracked;
let mailing: Mailing;
let slip: Awaited<ReturnType<Tracked['send']>>;
let links: ReturnType<Mailing['linksOf']>;
let people = 0;

beforeAll(async () => {
  tracked = await openTracked();
  mailing = await tracked.mailing({ html: '<p>Hello</p>' });
});
afterAll(() => tracked.test.close());
/** Somebody whose address was written wrong. */
beforeEach(async () => {
  slip = await tracked.send(mailing, `slip${++people}@gmial.com`);
  links = mailing.linksOf(slip.sendId);
});

const post = (url: string, form: Record<string, string>) =>
  tracked.test.app.inject({
    ...{ method: 'POST', url: url.replace(/^https?:\/\/[^/]+/, '') },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });
const get = (url: string) =>
  tracked.test.app.inject({ method: 'GET', url: url.replace(/^https?:\/\/[^/]+/, '') });
const oneClick = { 'List-Unsubscribe': 'One-Click' };
const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  (
    await tracked.test.app.inject({
      ...{ method, url, headers: { cookie: tracked.owner.cookie } },
      ...(payload ? { payload } : {}),
    })
  ).json();
/** Takes the suggested address for them, at gmail.com. */
const correct = async (): Promise<number> => {
  await call('POST', '/api/verifications');
  const done = await call('POST', '/api/review/corrections/accept', { ids: [slip.contactId] });
  expect(done).toMatchObject({ corrected: 1 });
  return done.correctionId;
};
const add = async (domain: string): Promise<number> =>
  (await call('POST', '/api/emails', { email: `${slip.local}@${domain}`, checkSuppressions: false })).id;

/** The reason for which they are on the suppression list with this domain. */
async function reasonAt(domain: string): Promise<string | undefined> {
  const { rows } = await tracked.test.database.asTenant(slip.workspaceId, (tx) =>
    sql<{ reason: string }>`
      select reason from suppressions
      where workspace_id = ${slip.workspaceId} and local = ${slip.local} and domain = ${domain}`.execute(tx),
  );
  return rows[0]?.reason;
}
const reasons = async () => [await reasonAt('gmial.com'), await reasonAt('gmail.com')];
const both = (reason: string | undefined) => [reason, reason];
/** Why a contact stays away although nothing suppresses it. */
async function awayBy(contactId: number): Promise<string | null | undefined> {
  const { rows } = await tracked.test.database.asTenant(slip.workspaceId, (tx) =>
    sql<{ away: string | null }>`
      select ${staysAway} as away from contacts c
      where c.workspace_id = ${slip.workspaceId} and c.id = ${contactId}`.execute(tx),
  );
  return rows[0]?.away;
}
const statusOf = async (id: number) => (await call('GET', `/api/emails/${id}`)).status;

const parts = () => ({
  ...{ db: tracked.test.database, sends: () => tracked.played },
  log: createLogger('silent'),
});
/** Whether somebody waits for the figures of the workspace. */
async function isWaitedFor(db: SystemDb): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks
    where locktype = 'advisory' and classid = ${figuresLock.number}::oid and objid = ${slip.workspaceId}::oid
      and not granted and database = (select oid from pg_database where datname = current_database())`.execute(
    db,
  );
  return rows.length > 0;
}

/** Whether anybody waits for this table, or for a row while they read it. */
async function isAnybodyAt(db: SystemDb, table: string, locktype: 'relation' | 'transactionid') {
  const { rows } = await sql`
    select from pg_locks w join pg_locks t on t.pid = w.pid
    where w.locktype = ${locktype} and not w.granted and t.relation = ${table}::regclass
      and t.database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.length > 0;
}

describe('a message to an address that was corrected since', () => {
  it('suppresses both addresses, and takes both back', async () => {
    await correct();
    await post(links.unsubscribe, oneClick);
    expect(await reasons()).toEqual(both('unsubscribed'));
    expect((await post(links.unsubscribe, { do: 'come-back' })).body).toContain('You get emails again');
    expect(await reasons()).toEqual(both(undefined));
    await post(links.unsubscribe, oneClick);
    // Nobody comes back by the old address, whoever adds it anew.
    await call('DELETE', `/api/emails/${slip.contactId}`);
    expect(await statusOf(await add('gmial.com'))).toBe('suppressed');
    expect(await miscounted(tracked.test, slip.workspaceId)).toEqual([]);
  });

  it('suppresses whoever has the old address by now', async () => {
    await correct();
    const again = await add('gmial.com');
    await post(links.unsubscribe, oneClick);
    expect(await statusOf(again)).toBe('suppressed');
  });

  it('begins and ends a break at both', async () => {
    await correct();
    const again = await add('gmial.com');
    const away = async () => [await awayBy(slip.contactId), await awayBy(again)];
    await post(links.preferences, { pause: '3' });
    expect(await away()).toEqual(['paused', 'paused']);
    await post(links.preferences, { do: 'end-pause' });
    expect(await away()).toEqual([null, null]);
  });
});

describe('a wish to leave', () => {
  /** Where the machine is slow, the call leaves the bin to the job. */
  const leaveForSure = async () => {
    await post(links.unsubscribe, oneClick);
    await carryOutWishes(parts(), slip.workspaceId);
  };

  it('reaches a contact whose address changes at the same moment', async () => {
    let answer: Promise<unknown> = Promise.resolve();
    await tracked.test.owner.system.transaction().execute(async (tx) => {
      await sql.raw(lockStatement(figuresLock, slip.workspaceId)).execute(tx);
      await sql`
        update contacts set domain = 'gmail.com'
        where workspace_id = ${slip.workspaceId} and id = ${slip.contactId}`.execute(tx);
      let isAnswered = false;
      answer = post(links.unsubscribe, oneClick).then(() => {
        isAnswered = true;
      });
      await expect.poll(async () => isAnswered || (await isWaitedFor(tx))).toBe(true);
    });
    await answer;
    // Where the machine is slow, it has not waited long enough.
    await carryOutWishes(parts(), slip.workspaceId);
    expect(await reasons()).toEqual(both('unsubscribed'));
  });

  it('reaches a corrected contact that is in the bin, also once the bin is empty', async () => {
    await correct();
    const { removalId } = await call('DELETE', `/api/emails/${slip.contactId}`);
    await leaveForSure();
    expect(await reasons()).toEqual(both('unsubscribed'));
    expect(await call('POST', `/api/removals/${removalId}/restore`)).toMatchObject({ restored: 1 });
    expect(await statusOf(slip.contactId)).toBe('suppressed');
    expect((await post(links.unsubscribe, { do: 'come-back' })).body).toContain('You get emails again');
    expect(await reasons()).toEqual(both(undefined));
    await call('DELETE', `/api/emails/${slip.contactId}`);
    await sql`delete from removed_contacts where id = ${slip.contactId}`.execute(tracked.test.owner.system);
    await leaveForSure();
    expect(await reasons()).toEqual(both('unsubscribed'));
    expect(await miscounted(tracked.test, slip.workspaceId)).toEqual([]);
  });

  it('is stored before the bin is gone through, and reaches it within a minute', async () => {
    await correct();
    await call('DELETE', `/api/emails/${slip.contactId}`);
    await tracked.test.owner.system.transaction().execute(async (tx) => {
      await sql`lock table removed_contacts in access exclusive mode`.execute(tx);
      expect((await post(links.unsubscribe, oneClick)).statusCode).toBe(200);
    });
    const open = await tracked.test.database.asTenant(slip.workspaceId, (tx) =>
      selectOpenWishes(tx, slip.workspaceId),
    );
    expect(open).toMatchObject([{ mailingId: slip.mailingId, sendId: slip.sendId }]);
    await carryOutWishes(parts(), slip.workspaceId);
    expect(await reasons()).toEqual(both('unsubscribed'));
  });

  it('is shown and taken back without the bin, also at the address of a contact in it', async () => {
    await correct();
    await call('DELETE', `/api/emails/${slip.contactId}`);
    await leaveForSure();
    expect(await reasons()).toEqual(both('unsubscribed'));
    await tracked.test.owner.system.transaction().execute(async (tx) => {
      await sql`lock table removed_contacts in access exclusive mode`.execute(tx);
      for (const answer of [await get(links.unsubscribe), await post(links.unsubscribe, oneClick)]) {
        expect(answer.statusCode).toBe(200);
        expect(answer.body).toContain('value="come-back"');
      }
      expect((await post(links.unsubscribe, { do: 'come-back' })).body).toContain('You get emails again');
      expect(await reasons()).toEqual(both(undefined));
    });
  });

  it('can be taken back while the job goes through the bin', async () => {
    await correct();
    await call('DELETE', `/api/emails/${slip.contactId}`);
    let atWork: Promise<void> = Promise.resolve();
    await tracked.test.owner.system.transaction().execute(async (tx) => {
      await sql`lock table removed_contacts in access exclusive mode`.execute(tx);
      await post(links.unsubscribe, oneClick);
      atWork = inBackground(() => carryOutWishes(parts(), slip.workspaceId));
      await expect.poll(() => isAnybodyAt(tx, 'removed_contacts', 'relation')).toBe(true);
      const answer = await post(links.unsubscribe, { do: 'come-back' });
      expect([answer.statusCode, answer.body.includes('You get emails again')]).toEqual([200, true]);
    });
    await atWork;
    expect(await reasons()).toEqual(both(undefined));
    expect(await awayBy(slip.contactId)).toBeUndefined();
  });

  it('that the job carries out just then is taken back wherever they have left', async () => {
    await correct();
    await call('DELETE', `/api/emails/${slip.contactId}`);
    let body = '';
    await tracked.test.owner.system.transaction().execute(async (tx) => {
      await sql`lock table removed_contacts in access exclusive mode`.execute(tx);
      await post(links.unsubscribe, oneClick);
    });
    let atWork: Promise<unknown> = Promise.resolve();
    await tracked.test.owner.system.transaction().execute(async (tx) => {
      await sql.raw(lockStatement(figuresLock, slip.workspaceId)).execute(tx);
      atWork = inBackground(() => carryOutWishes(parts(), slip.workspaceId));
      await expect.poll(() => isWaitedFor(tx)).toBe(true);
      const answer = post(links.unsubscribe, { do: 'come-back' }).then((answer) => {
        body = answer.body;
      });
      atWork = Promise.all([atWork, answer]);
      // Where the machine is slow, the job has given up by then.
      const isThere = async () => body !== '' || (await isAnybodyAt(tx, 'leave_wishes', 'transactionid'));
      await expect.poll(isThere).toBe(true);
    });
    await atWork;
    expect(body).toContain('You get emails again');
    expect(await reasons()).toEqual(both(undefined));
  });

  it('holds at the address of a contact in the bin while it waits', async () => {
    await correct();
    const { removalId } = await call('DELETE', `/api/emails/${slip.contactId}`);
    await tracked.test.owner.system.transaction().execute(async (tx) => {
      await sql.raw(lockStatement(figuresLock, slip.workspaceId, 'shared')).execute(tx);
      const holdsThere = async () => {
        await new WishBook(parts()).leave(slip.workspaceId, { ...slip, sentTo: slip });
        return tracked.test.database.asTenant(slip.workspaceId, (tx) =>
          hasOpenWish(tx, slip.workspaceId, { local: slip.local, domain: 'gmail.com' }),
        );
      };
      // Where the machine is slow, the bin is left for the next time.
      await expect.poll(holdsThere, { timeout: 20_000 }).toBe(true);
      await call('POST', `/api/removals/${removalId}/restore`);
      expect(await awayBy(slip.contactId)).toBe('suppressed');
    });
    await carryOutWishes(parts(), slip.workspaceId);
    expect(await reasons()).toEqual(both('unsubscribed'));
  });

  it('is stored at once while many wait for the list, and waits for nothing itself', async () => {
    const readers = [slip];
    while (readers.length < 8) readers.push(await tracked.send(mailing));
    await tracked.test.owner.system.transaction().execute(async (tx) => {
      await sql.raw(lockStatement(figuresLock, slip.workspaceId)).execute(tx);
      const answers = await Promise.all(
        readers.map(async ({ sendId }, place) => {
          await sleep(place * 250);
          return (await post(mailing.linksOf(sendId).unsubscribe, oneClick)).statusCode;
        }),
      );
      expect(answers).toEqual(readers.map(() => 200));
      const open = await tracked.test.database.asTenant(slip.workspaceId, (own) =>
        selectOpenWishes(own, slip.workspaceId),
      );
      const wished = readers.map(({ mailingId, sendId, contactId }) => ({ mailingId, sendId, contactId }));
      expect(open).toEqual(expect.arrayContaining(wished));
    });
    await carryOutWishes(parts(), slip.workspaceId);
    expect(await reasonAt('gmial.com')).toBe('unsubscribed');
  });

  it('is taken at its word while somebody holds who opened what', async () => {
    const { workspaceId, mailingId, sendId } = slip;
    const { system } = tracked.test.owner;
    await sql`
      insert into tracked_sends (workspace_id, mailing_id, send_id)
      values (${workspaceId}, ${mailingId}, ${sendId})`.execute(system);
    await system.transaction().execute(async (tx) => {
      await sql`
        select from tracked_sends
        where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and send_id = ${sendId} for update`.execute(
        tx,
      );
      const answer = await post(links.unsubscribe, oneClick);
      expect([answer.statusCode, answer.body.includes('You are unsubscribed')]).toEqual([200, true]);
      expect(await awayBy(slip.contactId)).toBe('suppressed');
    });
    await carryOutWishes(parts(), workspaceId);
    expect(await reasonAt('gmial.com')).toBe('unsubscribed');
  });

  it('reaches a contact in the bin that theirs was merged into', async () => {
    const kept = await tracked.send(mailing);
    await call('POST', '/api/review/duplicates/merge', {
      ...{ keepId: kept.contactId, otherIds: [slip.contactId] },
    });
    const { removalId } = await call('DELETE', `/api/emails/${kept.contactId}`);
    await leaveForSure();
    await call('POST', `/api/removals/${removalId}/restore`);
    expect(await statusOf(kept.contactId)).toBe('suppressed');
  });

  it('reaches a contact that was in the bin already when its correction was undone', async () => {
    const correctionId = await correct();
    await call('DELETE', `/api/emails/${slip.contactId}`);
    expect(await call('POST', `/api/corrections/${correctionId}/undo`)).toMatchObject({ leftOut: 1 });
    await sql`delete from removed_contacts where id = ${slip.contactId}`.execute(tracked.test.owner.system);
    await leaveForSure();
    expect(await reasons()).toEqual(both('unsubscribed'));
  });

  it('spares an address that their contact had by a mistake', async () => {
    const correctionId = await correct();
    await call('POST', `/api/corrections/${correctionId}/undo`);
    await call('DELETE', `/api/emails/${slip.contactId}`);
    await leaveForSure();
    expect(await reasons()).toEqual(['unsubscribed', undefined]);
  });
});

describe('a leaving', () => {
  /** How often it is told on the message. */
  async function leavings(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from tracking_events
      where workspace_id = ${slip.workspaceId} and mailing_id = ${slip.mailingId} and send_id = ${slip.sendId}
        and kind = 'leave'`.execute(tracked.test.owner.system);
    return rows[0]?.count ?? 0;
  }

  it('is told once when its two buttons are pressed at once, and again after a return', async () => {
    // Both calls have read that nobody has left.
    for (let calls = 0; calls < 2; calls++)
      await new WishBook(parts()).leave(slip.workspaceId, { ...slip, sentTo: slip });
    expect(await leavings()).toBe(1);
    await post(links.unsubscribe, { do: 'come-back' });
    await post(links.unsubscribe, oneClick);
    expect(await leavings()).toBe(2);
  });
});

describe('a break', () => {
  it('goes on when a leaving is taken back', async () => {
    await post(links.preferences, { pause: '6' });
    await post(links.unsubscribe, { do: 'leave' });
    expect(await reasonAt('gmial.com')).toBe('unsubscribed');
    const { body } = await post(links.unsubscribe, { do: 'come-back' });
    expect(body).toContain('You are taking a break, and the next emails come after');
    expect([await reasonAt('gmial.com'), await awayBy(slip.contactId)]).toEqual([undefined, 'paused']);
  });

  it('goes on when a wish that waits is taken back', async () => {
    await post(links.preferences, { pause: '6' });
    await tracked.test.owner.system.transaction().execute(async (tx) => {
      await sql.raw(lockStatement(figuresLock, slip.workspaceId)).execute(tx);
      await post(links.unsubscribe, oneClick);
      expect(await awayBy(slip.contactId)).toBe('suppressed');
      const { body } = await post(links.unsubscribe, { do: 'come-back' });
      expect(body).toContain('You are taking a break, and the next emails come after');
    });
    expect(await awayBy(slip.contactId)).toBe('paused');
  });
});
