import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { migrateJobs } from '#platform/server/jobs.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { openSmtpPeer, type SmtpPeer } from '#test/support/smtp-peer.ts';
import { noteEvents } from './index.ts';
import { sequencerLock } from './locks.ts';
import { forgetOldest, sequenceEvents } from './queries.ts';

// The stream: what features write, in the order of commits, each once.

let peer: SmtpPeer;
let test: TestApp;
let db: Database;
let owner: SignedIn;

beforeAll(async () => {
  peer = await openSmtpPeer();
  test = await openTestApp({ SMTP_URL: peer.url });
  db = openDatabase({ url: test.appUrl });
  await migrateJobs(test.ownerUrl);
  await test.startWork();
});
beforeEach(async () => {
  owner = await signUp(test.app);
});
afterAll(async () => {
  await db.close();
  await test.close();
  await peer.close();
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(method: Method, url: string, payload?: object): Promise<any> {
  const headers = { cookie: owner.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, ...answer.json() };
}

interface Item {
  id: string;
  type: string;
  subject: { kind: string; id: number } | null;
  contactIds: number[];
  data: Record<string, unknown>;
}

/** The stream after a cursor, in small pages, until so many contacts have an event of a type. */
async function read(after: string, type: string, contacts: number): Promise<Item[]> {
  const found: Item[] = [];
  let cursor = after;
  await vi.waitFor(
    async () => {
      const page = await call('GET', `/api/events?after=${cursor}&limit=7`);
      found.push(...page.items);
      ({ cursor } = page);
      const of = found.filter((event) => event.type === type);
      expect(of.reduce((sum, { contactIds }) => sum + contactIds.length, 0)).toBe(contacts);
      expect(page.hasMore).toBe(false);
    },
    { timeout: 20_000, interval: 100 },
  );
  return found;
}

const cursorNow = async (): Promise<string> => (await call('GET', '/api/events?after=now')).cursor;
const idOf = async (email: string): Promise<number> =>
  (await call('GET', `/api/emails?search=${encodeURIComponent(email)}`)).emails[0].id;

describe('the stream', () => {
  it('tells of contacts, lists and tags, large numbers in shares of a thousand', async () => {
    const people = Array.from({ length: 2_300 }, (_, n) => `p${n}@shop.co.uk`);
    await importCsv(test.app, owner.cookie, `email\n${people.join('\n')}\n`);
    const created = (await read('0', 'contact.created', 2_300)).filter(
      ({ type }) => type === 'contact.created',
    );
    // Cut where their numbers pass a thousand.
    const sizes = created.map(({ contactIds }) => contactIds.length);
    expect(sizes.length).toBeLessThanOrEqual(4);
    expect(Math.max(...sizes)).toBe(1_000);
    expect(created[0]?.subject).toEqual({ kind: 'import', id: expect.any(Number) });
    expect(new Set(created.flatMap(({ contactIds }) => contactIds)).size).toBe(2_300);

    const after = await cursorNow();
    const list = await call('POST', '/api/lists', { name: 'Readers' });
    const tag = await call('POST', '/api/tags', { name: 'Harbour', color: '#3B82F6' });
    const id = await idOf('p7@shop.co.uk');
    await call('POST', `/api/lists/${list.id}/contacts`, { ids: [id] });
    await call('POST', `/api/tags/${tag.id}/contacts`, { ids: [id] });
    await call('DELETE', `/api/lists/${list.id}/contacts`, { ids: [id] });
    await call('PATCH', `/api/emails/${id}`, { firstName: 'Jane', attributes: { 'Size, cm': '38' } });
    const binned = await call('DELETE', `/api/emails/${id}`);
    expect(binned.status).toBe(200);
    const events = await read(after, 'contact.removed', 1);
    const told = events.map(({ type, subject, contactIds, data }) => ({
      ...{ type, subject, data },
      about: contactIds,
    }));
    expect(told).toEqual([
      {
        type: 'list.updated',
        subject: { kind: 'list', id: list.id },
        about: [],
        data: { change: 'created' },
      },
      { type: 'tag.updated', subject: { kind: 'tag', id: tag.id }, about: [], data: { change: 'created' } },
      { type: 'list.joined', subject: { kind: 'list', id: list.id }, about: [id], data: {} },
      { type: 'tag.added', subject: { kind: 'tag', id: tag.id }, about: [id], data: {} },
      { type: 'list.left', subject: { kind: 'list', id: list.id }, about: [id], data: {} },
      {
        ...{ type: 'contact.updated', subject: null, about: [id] },
        data: { fields: ['name', 'firstName', 'attributes.Size, cm'] },
      },
      { type: 'contact.removed', subject: null, about: [id], data: {} },
    ]);
  });

  it('tells how each message of a campaign ended, and what the reader did', async () => {
    await importCsv(test.app, owner.cookie, 'email\njane@wharf.co.uk\nnobody@wharf.co.uk\n');
    const list = await call('POST', '/api/lists', { name: 'Wharf' });
    await call('POST', `/api/lists/${list.id}/contacts`, { filter: { domain: 'wharf.co.uk' } });
    const [jane, nobody] = [await idOf('jane@wharf.co.uk'), await idOf('nobody@wharf.co.uk')];
    peer.treat = (to) => (to.startsWith('nobody@') ? 'never' : 'take');
    const after = await cursorNow();
    const { id } = await call('POST', '/api/campaigns', {
      ...{ name: 'News', subject: 'News', template: 'simple', audience: { include: [{ list: list.id }] } },
      content: 'Dear reader,\n\nhttps://harbour.co.uk/news',
    });
    await call('POST', `/api/campaigns/${id}/send`);
    await read(after, 'email.bounced', 1);
    const raw = peer.taken.find(({ to }) => to === 'jane@wharf.co.uk')?.raw ?? '';
    const [, leave = ''] = /List-Unsubscribe: <[^>]*?(\/u\/[^>]+)>/.exec(raw.replaceAll('\r\n ', ' ')) ?? [];
    expect(leave).not.toBe('');
    const left = await test.app.inject({
      ...{ method: 'POST', url: leave, payload: 'List-Unsubscribe=One-Click' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(left.statusCode).toBe(200);
    const events = await read(after, 'email.unsubscribed', 1);
    const of = (type: string) => events.filter((event) => event.type === type);
    const campaign = { kind: 'campaign', id };
    expect(of('campaign.started')).toEqual([expect.objectContaining({ subject: campaign, contactIds: [] })]);
    expect(of('email.sent')).toEqual([expect.objectContaining({ subject: campaign, contactIds: [jane] })]);
    expect(of('email.failed')).toEqual([expect.objectContaining({ contactIds: [nobody] })]);
    expect(of('email.bounced')).toEqual([
      expect.objectContaining({ contactIds: [nobody], data: { class: 'hard', kind: 'no_such_user' } }),
    ]);
    expect(of('campaign.sent')).toHaveLength(1);
    expect(of('email.unsubscribed')).toEqual([
      expect.objectContaining({ subject: campaign, contactIds: [jane] }),
    ]);
    const some = await call('GET', `/api/events?after=${after}&types=email.sent,campaign.sent`);
    expect(some.items.map(({ type }: Item) => type)).toEqual(['email.sent', 'campaign.sent']);
    expect(await call('GET', '/api/events?types=email.read')).toMatchObject({ status: 400 });
    expect(await call('GET', '/api/events?after=-1')).toMatchObject({ status: 400 });
  });

  it('tells of those whose answer a process that died did not hear, and of the rest when it is cancelled', async () => {
    await importCsv(test.app, owner.cookie, 'email\nann@quay.co.uk\nben@quay.co.uk\ncat@quay.co.uk\n');
    const contacts = await Promise.all(['ann', 'ben', 'cat'].map((who) => idOf(`${who}@quay.co.uk`)));
    const [ann = 0, ...others] = contacts;
    peer.treat = () => 'later';
    const after = await cursorNow();
    const { id } = await call('POST', '/api/campaigns', {
      ...{ name: 'News', subject: 'News', template: 'simple', content: 'Dear reader' },
    });
    await call('POST', `/api/campaigns/${id}/send`);
    await vi.waitFor(async () => {
      const { totalCount } = await call('GET', `/api/campaigns/${id}/recipients?state=deferred`);
      expect(totalCount).toBe(3);
    }, 20_000);
    // As a process leaves it that dies while a server has the message.
    await test.owner.system.transaction().execute(async (tx) => {
      await sql`
        update sends set state = 'handed', reason = null, due_at = null
        where workspace_id = ${owner.workspaceId} and contact_id = ${ann}`.execute(tx);
      await sql`
        update send_parts set deferred = deferred - 1, lease_until = null
        where workspace_id = ${owner.workspaceId} and status = 'open'`.execute(tx);
    });
    const campaign = { kind: 'campaign', id };
    const events = await read(after, 'email.uncertain', 1);
    expect(events.filter(({ type }) => type === 'email.uncertain')).toEqual([
      expect.objectContaining({ subject: campaign, contactIds: [ann], data: {} }),
    ]);
    await call('POST', `/api/campaigns/${id}/cancel`);
    const skipped = (await read(after, 'email.skipped', 2)).filter(({ type }) => type === 'email.skipped');
    expect(skipped).toEqual([expect.objectContaining({ subject: campaign, data: { reason: 'cancelled' } })]);
    expect(new Set(skipped[0]?.contactIds)).toEqual(new Set(others));
  });

  it('is read without a gap while many write, and a long transaction holds nobody back', async () => {
    const workspaceId = owner.workspaceId;
    let cursor = await cursorNow();
    const note = (n: number) =>
      db.asTenant(workspaceId, async (tx) => {
        await noteEvents(tx, workspaceId, [{ type: 'tag.added', subjectId: n }]);
        // Some commit long after others that began later.
        await sql`select pg_sleep(${(n % 7) * 0.01})`.execute(tx);
      });
    const slow = Promise.withResolvers<void>();
    const long = db.asTenant(workspaceId, async (tx) => {
      await noteEvents(tx, workspaceId, [{ type: 'tag.added', subjectId: 1_000 }]);
      await slow.promise;
    });
    const many = Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        for (let n = 0; n < 50; n += 1) await note(writer * 50 + n);
      }),
    );
    const seen: number[] = [];
    const readUntil = (count: number) =>
      vi.waitFor(
        async () => {
          // Two that put events in order at once do not disturb each other.
          await Promise.all([sequenceEvents(db.system, 17), sequenceEvents(db.system, 17)]);
          const page = await call('GET', `/api/events?after=${cursor}&limit=3`);
          ({ cursor } = page);
          seen.push(...page.items.map(({ subject }: Item) => subject?.id));
          expect(seen.length).toBe(count);
        },
        { timeout: 30_000, interval: 1 },
      );
    await readUntil(200);
    await many;
    expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n));
    slow.resolve();
    await long;
    await readUntil(201);
    expect(seen.at(-1)).toBe(1_000);
  });

  it('is put in order by one process at a time', async () => {
    const after = await cursorNow();
    const held = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const holding = db.asTenant(owner.workspaceId, async (tx) => {
      await sql`select pg_advisory_xact_lock(${sequencerLock.number}::int, 0)`.execute(tx);
      held.resolve();
      await over.promise;
    });
    await held.promise;
    await db.asTenant(owner.workspaceId, (tx) =>
      noteEvents(tx, owner.workspaceId, [{ type: 'tag.added', subjectId: 1_500 }]),
    );
    expect(await sequenceEvents(db.system, 100)).toBe(0);
    expect(await cursorNow()).toBe(after);
    over.resolve();
    await holding;
    await vi.waitFor(async () => expect(await cursorNow()).not.toBe(after), 5_000);
  });

  it('tells of an event that a newer version has written, whose type it does not know', async () => {
    const { workspaceId } = owner;
    const events = [
      { type: 'tag.added', subjectId: 1 },
      { type: 'x.new' },
      { type: 'tag.added', subjectId: 2 },
    ];
    await db.asTenant(workspaceId, (tx) => noteEvents(tx, workspaceId, events));
    const types = async () => (await call('GET', '/api/events')).items?.map(({ type }: Item) => type);
    await expect.poll(types).toEqual(['tag.added', 'x.new', 'tag.added']);
    // Nobody can ask for it here, because nobody can know what it means.
    expect((await call('GET', '/api/events?types=x.new')).status).toBe(400);
  });

  it('keeps nothing of what was rolled back, and forgets what is old', async () => {
    const { workspaceId } = owner;
    const subjects = async (after: string) =>
      (await call('GET', `/api/events?after=${after}`)).items.map(({ subject }: Item) => subject?.id);
    const old = [1, 2, 3, 4, 5, 6].map((subjectId) => ({ type: 'tag.added', subjectId }) as const);
    await db.asTenant(workspaceId, (tx) => noteEvents(tx, workspaceId, old));
    await expect.poll(() => subjects('0')).toEqual([1, 2, 3, 4, 5, 6]);
    const after = await cursorNow();
    await expect(
      db.asTenant(workspaceId, async (tx) => {
        await noteEvents(tx, workspaceId, [{ type: 'tag.added', subjectId: 2_000 }]);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await db.asTenant(workspaceId, (tx) =>
      noteEvents(tx, workspaceId, [{ type: 'tag.added', subjectId: 2_001 }]),
    );
    await expect.poll(() => subjects(after)).toEqual([2_001]);
    await db.asTenant(workspaceId, (tx) =>
      sql`update events set at = now() - interval '91 days' where workspace_id = ${workspaceId} and position <= ${after}`.execute(
        tx,
      ),
    );
    const forget = () =>
      db.asTenant(workspaceId, (tx) => forgetOldest(tx, workspaceId, { days: 90, most: 5 }));
    expect([await forget(), await forget(), await forget()]).toEqual([5, 1, 0]);
    expect(await subjects('0')).toEqual([2_001]);
  });
});
