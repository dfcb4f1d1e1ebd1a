import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { inBackground } from '#platform/server/call-context.ts';
import { type Mailing, openTracked, type Tracked } from '#test/support/tracked-sends.ts';
import { judgedBy } from '../../rules/agents.ts';
import { EventWriter } from '../counting/event-writer.ts';
import { type NewEvent, selectDetails, selectFigures } from '../queries.ts';
import { readersWho } from '../readers.ts';
import { AgentBook } from './agent-book.ts';
import { judgeAgain, judgeBurst } from './judge-again.ts';
import { lockPeople } from './queries.ts';

// It is a long chain of short calls, each of which waits for its turn on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

// Figures after better rules are those that would have been counted by them from the beginning.

let tracked: Tracked;

beforeAll(async () => {
  tracked = await openTracked();
});
afterAll(() => tracked.test.close());

const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/4.0 (compatible; Microsoft Outlook 16.0.17928; ms-office; MSOffice 16)',
  'BarracudaCentral/1.0',
  'Mozilla/5.0',
];
/** What older rules may have said, right or wrong. */
const verdicts = [
  { agent: 'scanner', device: null, program: null, isHuman: false },
  { agent: 'person', device: 'desktop', program: 'other', isHuman: true },
  { agent: 'person', device: 'tablet', program: null, isHuman: true },
] as const;
const people = 4;
const act = fc.record({
  person: fc.nat(people - 1),
  kind: fc.constantFrom('open' as const, 'click' as const),
  agent: fc.nat(agents.length - 1),
  said: fc.constantFrom('right' as const, 0, 1, 2),
  isUnseen: fc.boolean(),
  country: fc.constantFrom(null, 'GB', 'IE'),
});
const scenario = fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const book = new AgentBook();
const eventOf = (mailing: Mailing, sendIds: number[], one: Act, isOld: boolean): NewEvent => {
  const judged = book.judge(agents[one.agent] ?? '', one.kind, one.isUnseen);
  const said = isOld && one.said !== 'right' ? verdicts[one.said] : {};
  const link = one.kind === 'click' ? 1 : null;
  const sendId = sendIds[one.person] ?? 0;
  return {
    ...{ mailingId: mailing.id, sendId, kind: one.kind, link, at: Date.now() },
    ...{ ...judged, ...said, isUnseen: one.isUnseen, country: one.country },
  };
};
/** Writes events in one transaction, as a process of its own does. */
async function written(workspaceId: number, events: readonly NewEvent[]): Promise<void> {
  const writer = new EventWriter({ db: tracked.test.database, sends: () => tracked.played, agents: book });
  await Promise.all(events.map((event) => writer.add(workspaceId, event)));
}
/** Batches, each of which is written in one transaction. */
async function played(batches: Act[][], isOld: boolean) {
  const mailing = await tracked.mailing({ html: '<a href="https://acme.co.uk/tea">Tea</a>' });
  const { workspaceId } = mailing.who;
  const sendIds = Array.from({ length: people }, (_, n) => n + 1);
  // The last one gets everything in the seconds in which only scanners have a message.
  await sql`
    insert into sends (workspace_id, mailing_id, id, local, domain, state, handed_at)
    select ${workspaceId}, ${mailing.id}, n, 'reader', 'acme.co.uk', 'sent',
      now() + case when n < ${people} then -1 else 1 end * interval '1 hour'
    from generate_series(1, ${people}::int) n`.execute(tracked.test.owner.system);
  for (const batch of batches)
    await written(
      workspaceId,
      batch.map((one) => eventOf(mailing, sendIds, one, isOld)),
    );
  // They are judged again by when they were written, which a slow machine may have done later.
  await sql`
    with moved as (
      update tracking_events e set at = f.at + interval '1 second'
      from (select min(at) as at from tracking_events where mailing_id = ${mailing.id} and send_id = ${people}) f
      where e.mailing_id = ${mailing.id} and e.send_id = ${people} returning f.at
    )
    update sends set handed_at = (select min(at) from moved)
    where mailing_id = ${mailing.id} and id = ${people} and exists (select from moved)`.execute(
    tracked.test.owner.system,
  );
  return { mailing, sendIds };
}

type Played = Awaited<ReturnType<typeof played>>;

async function figuresOf({ mailing, sendIds }: Played) {
  const { workspaceId } = mailing.who;
  return tracked.test.database.asTenant(workspaceId, async (tx) => {
    const { hours, links, facets } = await selectDetails(tx, workspaceId, mailing.id);
    const [figures] = await selectFigures(tx, workspaceId, [mailing.id]);
    const places = async (what: 'opened' | 'clicked') => {
      const { rows } = await sql<{
        send_id: number;
      }>`${readersWho(workspaceId, mailing.id, what, 'people')}`.execute(tx);
      return rows.map(({ send_id }) => sendIds.indexOf(send_id)).sort();
    };
    const { mailingId: _, ...counted } = figures ?? { mailingId: 0 };
    return {
      counted,
      hours: hours.filter(({ opened }) => opened > 0).map(({ hour: _hour, ...rest }) => rest),
      links: links.map(({ clicks, humanClicks }) => ({ clicks, humanClicks })),
      facets: facets.map((one) => JSON.stringify(one)).sort(),
      opened: await places('opened'),
      clicked: await places('clicked'),
    };
  });
}
const forget = async (workspaceId: number) => {
  const { system } = tracked.test.owner;
  await sql`update tracking_events set judged_by = ${judgedBy - 1} where workspace_id = ${workspaceId}`.execute(
    system,
  );
  await sql`delete from tracking_judgements where workspace_id = ${workspaceId}`.execute(system);
};
const again = (workspaceId: number, size?: number) =>
  judgeAgain({ db: tracked.test.database, sends: tracked.played }, workspaceId, undefined, size);

describe('judging again', () => {
  it('leaves the figures that the rules of today would have counted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(scenario, { minLength: 15, maxLength: 15 }), async (scenarios) => {
        const all: { old: Played; right: Played }[] = [];
        for (const batches of scenarios)
          all.push({ old: await played(batches, true), right: await played(batches, false) });
        // The second time there is nothing to correct.
        for (const size of [3, 2_000]) {
          await forget(tracked.owner.workspaceId);
          await again(tracked.owner.workspaceId, size);
          for (const { old, right } of all) expect(await figuresOf(old)).toEqual(await figuresOf(right));
        }
      }),
      { numRuns: 1 },
    );
  });

  it('loses nothing of what readers do meanwhile', async () => {
    const one = (person: number, said: 0 | 'right'): Act => ({
      ...{ person, kind: 'click', agent: 0, said, isUnseen: false, country: 'GB' },
    });
    const old = await played([[one(0, 0), one(1, 0)]], true);
    const { workspaceId } = old.mailing.who;
    await forget(workspaceId);
    // A process writes what gathers in one batch, so no more than a few are under way at once.
    const lanes = 6;
    const readers = Array.from({ length: lanes }, async (_, lane) => {
      for (let n = lane; n < 40; n += lanes)
        await written(workspaceId, [eventOf(old.mailing, old.sendIds, one(n % 3, 'right'), true)]);
    });
    await Promise.all([...readers, again(workspaceId, 1), again(workspaceId, 2)]);
    expect(await figuresOf(old)).toMatchObject({
      counted: { opened: 3, humanOpened: 3, clicked: 3, humanClicked: 3 },
      links: [{ clicks: 42, humanClicks: 42 }],
      facets: [
        JSON.stringify({ facet: 'country', value: 'GB', opened: 3, clicked: 3 }),
        JSON.stringify({ facet: 'device', value: 'desktop', opened: 3, clicked: 3 }),
      ],
    });
  });

  it('has no reader hold a link that waits for a person who is judged', async () => {
    const click: Act = { person: 0, kind: 'click', agent: 0, said: 'right', isUnseen: false, country: 'GB' };
    const old = await played([[click]], true);
    const { workspaceId } = old.mailing.who;
    const write = () => written(workspaceId, [eventOf(old.mailing, old.sendIds, click, true)]);
    const waitsForUs = async (pid: number) => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_locks where not granted and ${pid}::int = any(pg_blocking_pids(pid))`.execute(
        tracked.test.owner.system,
      );
      return rows[0]?.count;
    };
    const reader = await tracked.test.database.asTenant(workspaceId, async (tx) => {
      await lockPeople(tx, { workspaceId, mailingId: old.mailing.id, after: 0, upTo: people });
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      const written = inBackground(write);
      await expect
        .poll(() => inBackground(() => waitsForUs(rows[0]?.pid ?? 0)), { timeout: 10_000, interval: 20 })
        .toBeGreaterThan(0);
      await sql`set local lock_timeout = '100ms'`.execute(tx);
      await sql`update mailing_links set clicks = clicks where mailing_id = ${old.mailing.id}`.execute(tx);
      return { written };
    });
    await reader.written;
    expect(await figuresOf(old)).toMatchObject({ links: [{ clicks: 2 }] });
  });

  it('leaves a reader what was read before the message was sent again', async () => {
    const one: Act = { person: 0, kind: 'open', agent: 0, said: 'right', isUnseen: false, country: 'GB' };
    const old = await played([[one]], true);
    const { workspaceId } = old.mailing.who;
    const figures = await figuresOf(old);
    expect(figures).toMatchObject({ counted: { humanOpened: 1 } });
    await sql`update sends set handed_at = now() + interval '1 day' where mailing_id = ${old.mailing.id}`.execute(
      tracked.test.owner.system,
    );
    await forget(workspaceId);
    await again(workspaceId);
    expect(await figuresOf(old)).toEqual(figures);
  });

  it('does nothing where all is judged, and leaves events without a name alone', async () => {
    const one: Act = { person: 0, kind: 'open', agent: 3, said: 1, isUnseen: false, country: null };
    const old = await played([[one]], true);
    const { workspaceId } = old.mailing.who;
    await again(workspaceId);
    expect(await figuresOf(old)).toMatchObject({ counted: { humanOpened: 1 } });
    await forget(workspaceId);
    await sql`update tracking_events set agent_hash = null where mailing_id = ${old.mailing.id}`.execute(
      tracked.test.owner.system,
    );
    await again(workspaceId);
    expect(await figuresOf(old)).toMatchObject({ counted: { humanOpened: 1 } });
  });

  it('looks once more a day later for what an older process has written meanwhile', async () => {
    const one: Act = { person: 0, kind: 'open', agent: 3, said: 1, isUnseen: false, country: null };
    const { workspaceId } = tracked.owner;
    const { system } = tracked.test.owner;
    const byOlderRules = async () => {
      const old = await played([[one]], true);
      await sql`update tracking_events set judged_by = ${judgedBy - 1} where mailing_id = ${old.mailing.id}`.execute(
        system,
      );
      return old;
    };
    const aDayPasses = () =>
      sql`update tracking_judgements set judged_at = judged_at - interval '1 day' where workspace_id = ${workspaceId}`.execute(
        system,
      );
    await forget(workspaceId);
    await again(workspaceId);
    const old = await byOlderRules();
    await again(workspaceId);
    expect(await figuresOf(old)).toMatchObject({ counted: { humanOpened: 1 } });
    await aDayPasses();
    await again(workspaceId);
    expect(await figuresOf(old)).toMatchObject({ counted: { humanOpened: 0 } });
    // After that nothing is read until the rules change.
    const later = await byOlderRules();
    await aDayPasses();
    await again(workspaceId);
    expect(await figuresOf(later)).toMatchObject({ counted: { humanOpened: 1 } });
  });

  it('takes three links followed within two seconds for a scanner, whatever it calls itself', async () => {
    const html = [1, 2, 3, 4].map((n) => `<a href="https://acme.co.uk/${n}">${n}</a>`).join('');
    const mailing = await tracked.mailing({ html });
    const { workspaceId } = mailing.who;
    const { system } = tracked.test.owner;
    /** The seconds at which somebody follows each link. */
    const readers: [link: number, at: number][][] = [
      [
        [1, 0],
        [2, 1],
        [3, 2],
        [4, 60],
      ],
      [
        [1, 0],
        [2, 1],
        [3, 2.5],
      ],
      [
        [1, 0],
        [1, 0.5],
        [1, 1],
        [2, 1.5],
      ],
    ];
    const sendIds = readers.map((_, n) => n + 1);
    for (const [n, clicks] of readers.entries()) {
      await sql`
        insert into sends (workspace_id, mailing_id, id, local, domain, state, handed_at)
        values (${workspaceId}, ${mailing.id}, ${n + 1}, 'reader', 'acme.co.uk', 'sent', now() - interval '1 hour')`.execute(
        system,
      );
      const one: Act = { person: n, kind: 'click', agent: 0, said: 'right', isUnseen: false, country: 'GB' };
      for (const [link, seconds] of clicks) {
        await written(workspaceId, [{ ...eventOf(mailing, sendIds, one, false), link }]);
        await sql`
          update tracking_events set at = date_trunc('minute', now()) + ${seconds} * interval '1 second'
          where workspace_id = ${workspaceId} and mailing_id = ${mailing.id}
            and id = (select max(id) from tracking_events where mailing_id = ${mailing.id})`.execute(system);
      }
    }
    expect(await figuresOf({ mailing, sendIds })).toMatchObject({ clicked: [0, 1, 2] });
    for (const sendId of sendIds)
      await judgeBurst({ db: tracked.test.database, sends: tracked.played }, workspaceId, {
        ...{ mailingId: mailing.id, sendId },
      });
    const figures = await figuresOf({ mailing, sendIds });
    // The first reader came back a minute later, as people do.
    expect(figures).toMatchObject({
      counted: { clicked: 3, humanClicked: 3 },
      links: [
        { clicks: 5, humanClicks: 4 },
        { clicks: 3, humanClicks: 2 },
        { clicks: 2, humanClicks: 1 },
        { clicks: 1, humanClicks: 1 },
      ],
    });
    // Better rules for names change nothing of it.
    await forget(workspaceId);
    await again(workspaceId);
    expect(await figuresOf({ mailing, sendIds })).toEqual(figures);
  });

  it('leaves a person alone whose counted events are gone', async () => {
    const html = [1, 2, 3].map((n) => `<a href="https://acme.co.uk/${n}">${n}</a>`).join('');
    const mailing = await tracked.mailing({ html });
    const { workspaceId } = mailing.who;
    const { system } = tracked.test.owner;
    const sendIds = [1];
    await sql`
      insert into sends (workspace_id, mailing_id, id, local, domain, state, handed_at)
      values (${workspaceId}, ${mailing.id}, 1, 'reader', 'acme.co.uk', 'sent', now() - interval '3 years')`.execute(
      system,
    );
    const write = (kind: 'open' | 'click', agent: number, link: number | null) =>
      written(workspaceId, [
        {
          ...eventOf(
            mailing,
            sendIds,
            { person: 0, kind, agent, said: 'right', isUnseen: false, country: 'GB' },
            false,
          ),
          link,
        },
      ]);
    // A person has opened and clicked long ago, and their events are not kept any more.
    await write('click', 1, 1);
    await sql`
      update tracked_sends set human_opened_at = now() - interval '26 months', human_clicked_at = now() - interval '26 months'
      where mailing_id = ${mailing.id}`.execute(system);
    await sql`
      update mailing_hours set hour = date_trunc('hour', now() - interval '26 months', 'UTC') where mailing_id = ${mailing.id}`.execute(
      system,
    );
    await sql`delete from tracking_events where mailing_id = ${mailing.id}`.execute(system);
    // A scanner follows all links at once, as a browser on a desk.
    for (const link of [1, 2, 3]) await write('click', 0, link);
    await sql`
      update tracking_events set at = date_trunc('minute', now()) + link * interval '0.1 second'
      where mailing_id = ${mailing.id}`.execute(system);
    const people = async () => {
      const { hours, facets } = await tracked.test.database.asTenant(workspaceId, (tx) =>
        selectDetails(tx, workspaceId, mailing.id),
      );
      const { rows } = await sql`
        select human_opened_at, human_clicked_at from tracked_sends where mailing_id = ${mailing.id}`.execute(
        system,
      );
      return { hours, facets, rows };
    };
    const before = await people();
    expect(before).toMatchObject({ hours: [{ humanOpened: 1, humanClicked: 1 }] });
    await judgeBurst({ db: tracked.test.database, sends: tracked.played }, workspaceId, {
      ...{ mailingId: mailing.id, sendId: 1 },
    });
    expect(await people()).toEqual(before);
    // The links themselves were followed by nobody but a scanner since.
    expect((await figuresOf({ mailing, sendIds })).links.map(({ humanClicks }) => humanClicks)).toEqual([
      1, 0, 0,
    ]);
  });
});
