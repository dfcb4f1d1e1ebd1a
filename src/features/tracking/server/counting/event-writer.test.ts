import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signUp } from '#test/support/sign-in.ts';
import { type Mailing, openTracked, type Tracked } from '#test/support/tracked-sends.ts';
import { AgentBook } from '../judging/agent-book.ts';
import type { NewEvent } from '../queries.ts';
import { EventWriter } from './event-writer.ts';

// Somebody holds a person, as a pass that judges again does: nobody else's events wait for that.

type Send = Awaited<ReturnType<Tracked['send']>>;

let tracked: Tracked;
let mailing: Mailing;
let held: Send;
let free: Send;
let writer: EventWriter;

beforeAll(async () => {
  tracked = await openTracked();
  mailing = await tracked.mailing({ html: '<a href="https://acme.co.uk/tea">Tea</a>' });
});
afterAll(() => tracked.test.close());
beforeEach(async () => {
  [held, free] = [await tracked.send(mailing), await tracked.send(mailing)];
  writer = new EventWriter({
    ...{ db: tracked.test.database, sends: () => tracked.played, agents: new AgentBook() },
  });
});

const add = ({ workspaceId, mailingId, sendId }: Send) =>
  writer.add(workspaceId, {
    ...{ mailingId, sendId, kind: 'open', link: null, agentHash: null, country: null, at: Date.now() },
    ...{ agent: 'person', device: 'desktop', program: 'other', isHuman: true, isUnseen: false },
  } satisfies NewEvent);

async function eventsOf({ workspaceId, mailingId, sendId }: Send): Promise<number> {
  const { rows } = await tracked.test.database.asTenant(workspaceId, (tx) =>
    sql<{ count: number }>`
      select count(*)::int as count from tracking_events
      where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and send_id = ${sendId}`.execute(tx),
  );
  return rows[0]?.count ?? 0;
}

/** Does something while somebody else holds the person, who has done something before. */
async function whileHeld<T>({ workspaceId, mailingId, sendId }: Send, work: () => Promise<T>): Promise<T> {
  const { system } = tracked.test.owner;
  await sql`
    insert into tracked_sends (workspace_id, mailing_id, send_id)
    values (${workspaceId}, ${mailingId}, ${sendId})`.execute(system);
  return system.transaction().execute(async (tx) => {
    await sql`
      select from tracked_sends
      where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and send_id = ${sendId} for update`.execute(
      tx,
    );
    return work();
  });
}

describe('the events of a workspace', () => {
  it('do not wait for somebody who is held in another one', async () => {
    const other = await signUp(tracked.test.app);
    const elsewhere = await tracked.send(await tracked.mailing({ html: '<p>Hello</p>', who: other }));
    const { waits } = await whileHeld(held, async () => {
      let isOver = false;
      const waits = add(held).finally(() => {
        isOver = true;
      });
      await add(elsewhere);
      expect([isOver, await eventsOf(elsewhere)]).toEqual([false, 1]);
      return { waits };
    });
    await waits;
    expect(await eventsOf(held)).toBe(1);
  });

  it('are written without those of a person who is held, and these once they are free', async () => {
    const { waits } = await whileHeld(held, async () => {
      const waits = add(held);
      await add(free);
      expect([await eventsOf(held), await eventsOf(free)]).toEqual([0, 1]);
      // They are in nobody's way later either.
      await add(free);
      return { waits };
    });
    await waits;
    expect([await eventsOf(held), await eventsOf(free)]).toEqual([1, 2]);
    const { rows } = await sql<{ people: number }>`
      select sum(opened)::int as people from mailing_hours
      where mailing_id = ${mailing.id} and workspace_id = ${held.workspaceId}`.execute(
      tracked.test.owner.system,
    );
    expect(rows[0]?.people).toBeGreaterThanOrEqual(2);
  });

  it('are tried once more when the process stops', async () => {
    const waits = await whileHeld(held, async () => {
      const told = { waits: add(held) };
      await add(free);
      return told;
    });
    await writer.stop();
    await waits.waits;
    expect(await eventsOf(held)).toBe(1);
  });

  it('lead a reader on within a second or so, and count them later', async () => {
    const link = mailing.linksOf(held.sendId).link('html', '', 0);
    const follow = () => tracked.test.app.inject({ url: link.replace(/^https?:\/\/[^/]+/, '') });
    await whileHeld(held, async () => {
      const begun = performance.now();
      expect((await follow()).statusCode).toBe(302);
      expect(performance.now() - begun).toBeLessThan(5_000);
      expect(await eventsOf(held)).toBe(0);
    });
    await expect.poll(() => eventsOf(held)).toBe(1);
  });
});
