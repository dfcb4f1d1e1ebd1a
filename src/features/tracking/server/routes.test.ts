import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createReferences } from '#features/messages/server/index.ts';
import { figuresLock } from '#features/rollups/server/locks.ts';
import { staysAway } from '#features/tracking/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import { lockStatement } from '#platform/server/locks.ts';
import { createLogger } from '#platform/server/logging.ts';
import { formOf } from '#test/support/app.ts';
import { miscounted } from '#test/support/miscounted.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import {
  type Mailing,
  openTracked,
  playedPage,
  secretKey,
  type Tracked,
} from '#test/support/tracked-sends.ts';
import { selectWorkspacesWithWishes } from './leaving/wish-queries.ts';
import { carryOutWishes } from './leaving/wishes.ts';
import { selectFigures } from './queries.ts';

// The addresses that stand in mails: who follows them gets there, and nothing changes by itself.

let tracked: Tracked;
let mailing: Mailing;
let send: Awaited<ReturnType<Tracked['send']>>;
let stranger: SignedIn;
let links: ReturnType<Mailing['linksOf']>;

const page = `
  <a href="https://acme.co.uk/tea?a=1&amp;b=2">Tea</a>
  <a href="https://shop.acme.co.uk/basket/{{ basket }}">Basket</a>
  <a href="{{ anything }}">Anything</a>
  <a href="mailto:shop@acme.co.uk">Write</a>
  <a href="javascript:alert(1)">Run</a>`;

beforeAll(async () => {
  tracked = await openTracked();
  stranger = await signUp(tracked.test.app);
  mailing = await tracked.mailing({ html: page, text: 'Tea: https://acme.co.uk/tea' });
});
afterAll(() => tracked.test.close());
beforeEach(async () => {
  send = await tracked.send(mailing);
  links = mailing.linksOf(send.sendId);
});

const parts = () => ({
  db: tracked.test.database,
  sends: () => tracked.played,
  log: createLogger('silent'),
});
const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '');
const get = (url: string, method: 'GET' | 'HEAD' = 'GET') =>
  tracked.test.app.inject({ method, url: pathOf(url) });
const post = (url: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  tracked.test.app.inject({
    method: 'POST',
    url: pathOf(url),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  });
const oneClick = { 'List-Unsubscribe': 'One-Click' };

async function entry({ workspaceId, local, domain } = send) {
  const { rows } = await tracked.test.database.asTenant(workspaceId, (tx) =>
    sql<{ reason: string; note: string | null; created_by: string | null }>`
      select reason, note, created_by from suppressions
      where workspace_id = ${workspaceId} and local = ${local} and domain = ${domain}`.execute(tx),
  );
  return rows[0];
}
const mayBeMailed = async ({ workspaceId, contactId } = send) => {
  const { rows } = await tracked.test.database.asTenant(workspaceId, (tx) =>
    sql<{ away: string | null }>`
      select ${staysAway} as away from contacts c
      where c.workspace_id = ${workspaceId} and c.id = ${contactId}`.execute(tx),
  );
  return rows[0]?.away === null;
};
/** A wish that waits, as it is when the suppression list was busy. */
const insertWish = ({ workspaceId, mailingId, sendId, contactId, local, domain } = send) =>
  sql`
    insert into leave_wishes (workspace_id, mailing_id, send_id, contact_id, local, domain)
    values (${workspaceId}, ${mailingId}, ${sendId}, ${contactId}, ${local}, ${domain})`.execute(
    tracked.test.owner.system,
  );
/** What is written down of the send, by kind. */
async function events({ workspaceId, mailingId, sendId } = send) {
  const { rows } = await tracked.test.database.asTenant(workspaceId, (tx) =>
    sql<{ kind: string; count: number }>`
      select kind, count(*)::int as count from tracking_events
      where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and send_id = ${sendId} group by kind`.execute(
      tx,
    ),
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}
const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
  (
    await tracked.test.app.inject({
      ...{ method, url, headers: { cookie: tracked.owner.cookie } },
      ...(payload ? { payload } : {}),
    })
  ).json();

describe('every address', () => {
  it('is kept by no cache and no search engine, sets no cookie, and is short', async () => {
    for (const url of [
      links.pixel,
      links.link('html', '', 0),
      links.unsubscribe,
      links.preferences,
      links.view,
    ]) {
      const answer = await get(url);
      expect(answer.statusCode).toBeLessThan(400);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow',
      });
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(pathOf(url)).toMatch(/^\/[ocupv]\/[\w-]{18,40}$/);
      expect((await get(url, 'HEAD')).statusCode).toBe(answer.statusCode);
    }
  });

  it.each(['/c/', '/u/x', '/p/%00', '/v/../u/x', `/c/${'x'.repeat(5_000)}`, '/u/%E0%A4%A'])(
    'that we have not made leads to a page: %s',
    async (url) => {
      const answer = await tracked.test.app.inject({ url, remoteAddress: '192.0.2.1' });
      expect([400, 404]).toContain(answer.statusCode);
      expect(answer.headers.location).toBeUndefined();
      if (answer.statusCode === 404) {
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
        expect(answer.body).toContain('This link is not known any more');
      }
    },
  );

  it('is for one use, one workspace, and what we have signed', async () => {
    const references = createReferences([secretKey]);
    const forged = createReferences(['another secret of thirty-two characters']);
    const own = { workspaceId: send.workspaceId, mailingId: mailing.id, sendId: send.sendId, part: 1 };
    const uses = ['click', 'unsubscribe', 'preferences', 'view'] as const;
    const prefixes = ['c', 'u', 'p', 'v'];
    for (const [place, use] of uses.entries()) {
      for (const prefix of prefixes) {
        const { statusCode } = await get(`/${prefix}/${references.url(use, own)}`);
        expect([use, prefix, statusCode < 400]).toEqual([use, prefix, prefix === prefixes[place]]);
      }
      const at = `/${prefixes[place]}/`;
      const elsewhere = references.url(use, { ...own, workspaceId: stranger.workspaceId });
      expect((await get(at + forged.url(use, own))).statusCode).toBe(404);
      expect((await get(at + elsewhere)).statusCode).toBe(404);
      expect((await get(at + references.url(use, { ...own, mailingId: 999_999 }))).statusCode).toBe(404);
      const name = references.url(use, own);
      const bent = name.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
      expect((await get(at + bent)).statusCode).toBe(404);
    }
  });

  it('answers no other method', async () => {
    const answer = await tracked.test.app.inject({ method: 'DELETE', url: pathOf(links.unsubscribe) });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    expect((await post(links.link('html', '', 0), {})).statusCode).toBe(405);
  });

  it('lets nobody guess for long', async () => {
    const guess = (n: number, remoteAddress: string) =>
      tracked.test.app.inject({ url: `/u/${'x'.repeat(20)}${n}`, remoteAddress });
    const answers = [];
    for (let n = 0; n < 700; n++) answers.push((await guess(n, '192.0.2.9')).statusCode);
    expect(answers.filter((status) => status === 404)).toHaveLength(600);
    expect((await guess(1, '192.0.2.9')).headers['retry-after']).toBe('60');
    expect((await guess(1, '192.0.2.10')).statusCode).toBe(404);
    // Whoever shares the address of somebody who guesses still gets where a mail leads.
    const known = { url: pathOf(links.link('html', '', 0)), remoteAddress: '192.0.2.9' };
    expect((await tracked.test.app.inject(known)).statusCode).toBe(302);
  });
});

describe('an open', () => {
  it('is answered by the same picture, whoever asks', async () => {
    for (const url of [links.pixel, '/o/nonsense', '/o/']) {
      const answer = await get(url);
      expect([answer.statusCode, answer.headers['content-type'], answer.rawPayload.length]).toEqual([
        200,
        'image/gif',
        43,
      ]);
      expect(answer.rawPayload.subarray(0, 6).toString()).toBe('GIF89a');
    }
  });

  it('is counted 30 times a minute for one link, and answered every time', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => get(links.pixel)));
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(await events()).toEqual({ open: 30 });
    await get(links.pixel, 'HEAD');
    expect(await events()).toEqual({ open: 30 });
  });

  it('is answered to a thousand from one address, and counted for those that there are', async () => {
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => get(mailing.linksOf(n % 2 ? send.sendId : 900_000 + n).pixel)),
    );
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(await events()).toEqual({ open: 30 });
    const { rows } = await sql`select 1 from tracked_sends where send_id >= 900000`.execute(
      tracked.test.owner.system,
    );
    expect(rows).toEqual([]);
  });

  it('and a click are answered while nothing can be counted, and counted later', async () => {
    await get(links.link('html', '', 0));
    await tracked.test.owner.system.transaction().execute(async (tx) => {
      await sql`lock table tracked_sends in access exclusive mode`.execute(tx);
      const [open, click] = await Promise.all([get(links.pixel), get(links.link('html', '', 0))]);
      expect([open.statusCode, click.statusCode]).toEqual([200, 302]);
    });
    await expect.poll(() => events()).toEqual({ open: 1, click: 2 });
  });
});

describe('a click', () => {
  it('leads where the mail said, and to nowhere else', async () => {
    const answer = await get(`${links.link('html', '', 0)}?utm_source=x&t=y&url=https://evil.example`);
    expect([answer.statusCode, answer.headers.location]).toEqual([302, 'https://acme.co.uk/tea?a=1&b=2']);
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    const text = await get(links.link('text', 'https://acme.co.uk/tea', 0));
    expect(text.headers.location).toBe('https://acme.co.uk/tea');
    const long = await get(`${links.link('html', '', 0)}?${'x'.repeat(12_000)}`);
    expect(long.headers.location).toBe('https://acme.co.uk/tea?a=1&b=2');
  });

  it('is no person’s when a browser asks ahead, or when all links are followed at once', async () => {
    const html = [1, 2, 3].map((n) => `<a href="https://acme.co.uk/${n}">${n}</a>`).join('');
    const own = await tracked.mailing({ html });
    const agent =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36';
    const follow = (to: typeof send, link: number, headers: Record<string, string> = {}) =>
      tracked.test.app.inject({
        url: pathOf(own.linksOf(to.sendId).link('html', '', link)),
        headers: { 'user-agent': agent, ...headers },
      });
    const human = async () => {
      const [figures] = await tracked.test.database.asTenant(own.who.workspaceId, (tx) =>
        selectFigures(tx, own.who.workspaceId, [own.id]),
      );
      return [figures?.clicked, figures?.humanClicked, figures?.humanOpened];
    };
    const [ahead, scanned, read] = [
      await tracked.send(own),
      await tracked.send(own),
      await tracked.send(own),
    ];
    await follow(ahead, 0, { 'sec-purpose': 'prefetch' });
    expect(await human()).toEqual([1, 0, 0]);
    await follow(read, 0);
    await Promise.all([0, 1, 2].map((link) => follow(scanned, link)));
    expect(await human()).toEqual([3, 2, 2]);
    // It is seen to some seconds later.
    await expect.poll(human, { timeout: 20_000 }).toEqual([3, 1, 1]);
  });

  it('leads everybody to their own page of a site', async () => {
    const basket = 'https://shop.acme.co.uk/basket/';
    const link = links.link('html', `${basket}a b&c=é`, 1);
    expect((await get(link)).headers.location).toBe(`${basket}a%20b&c=%C3%A9`);
    const sealed = new URL(link).searchParams.get('t') ?? '';
    const other = mailing.linksOf(send.sendId + 1).link('html', `${basket}7`, 1);
    const bent = [
      '',
      '?t=',
      `?t=${sealed.slice(0, -1)}`,
      `?t=${sealed}A`,
      `?t=${sealed.slice(0, 16)}${Buffer.from('.evil.example').toString('base64url')}`,
      `?t=${new URL(other).searchParams.get('t')}`,
      `?t=${sealed}&t=${sealed}`,
      `?t=${'A'.repeat(10_000)}`,
    ];
    for (const query of bent) {
      const answer = await get(link.replace(/\?.*/, query));
      expect([query.slice(0, 60), answer.statusCode, answer.headers.location]).toEqual([
        query.slice(0, 60),
        404,
        undefined,
      ]);
    }
  });

  it('leads to a page whose address was stored with the tag that ends its block', async () => {
    const vip = 'https://shop.acme.co.uk/vip?a=1';
    const older = await tracked.mailing({ html: '', text: vip });
    const { workspaceId, sendId } = await tracked.send(older);
    await tracked.test.database.asTenant(workspaceId, (tx) =>
      sql`update mailing_links set url = ${`${vip}{% endif %}`}, prefix = ${vip}
        where workspace_id = ${workspaceId} and url = ${vip}`.execute(tx),
    );
    const link = older.linksOf(sendId).link('text', vip, 0);
    expect((await get(link)).headers.location).toBe(vip);
    expect((await get(`${link}?t=A`)).statusCode).toBe(404);
  });

  it('is not made of what data of a contact would lead elsewhere', () => {
    const away = [
      'https://evil.example/',
      'https://shop.acme.co.uk.evil.example/',
      'https://shop.acme.co.uk/basket/\r\nX: y',
    ];
    for (const url of away) expect(links.link('html', url, 1)).toBe(url);
    expect(links.link('html', 'https://evil.example/', 2)).toBe('https://evil.example/');
    expect(links.link('html', 'mailto:shop@acme.co.uk', 3)).toBe('mailto:shop@acme.co.uk');
    expect(links.link('html', 'javascript:alert(1)', 4)).toBe('javascript:alert(1)');
  });
});

describe('unsubscribing', () => {
  it('asks first, and changes nothing while it is only looked at', async () => {
    for (const url of [links.unsubscribe]) {
      for (const method of ['GET', 'HEAD'] as const) expect((await get(url, method)).statusCode).toBe(200);
      for (let n = 0; n < 10; n++) await get(url);
    }
    expect(await entry()).toBeUndefined();
    expect(await mayBeMailed()).toBe(true);
    const { body } = await get(links.unsubscribe);
    expect(body).toContain('r•••@acme.co.uk');
    expect(body).not.toContain(`${send.local}@`);
    expect(body).toContain(`href="${pathOf(links.preferences)}"`);
  });

  it('takes one POST of a mail provider, without cookies and from anywhere (RFC 8058)', async () => {
    const { payload, headers } = formOf([['List-Unsubscribe', 'One-Click']]);
    const multipart = { method: 'POST', url: pathOf(links.unsubscribe), headers, payload } as const;
    expect((await tracked.test.app.inject(multipart)).statusCode).toBe(200);
    expect(await entry()).toEqual({ reason: 'unsubscribed', note: 'From “Spring news”', created_by: null });
    const next = await tracked.send(mailing);
    const { unsubscribe: url } = mailing.linksOf(next.sendId);
    const answer = await post(url, oneClick, { origin: 'null', 'sec-fetch-site': 'cross-site' });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, undefined]);
    expect((await post(url, oneClick)).statusCode).toBe(200);
    expect(await entry(next)).toMatchObject({ reason: 'unsubscribed' });
  });

  it.each([
    ['application/x-www-form-urlencoded', ''],
    ['application/x-www-form-urlencoded', 'anything=else'],
    ['application/json', '{"List-Unsubscribe":"One-Click"}'],
    ['text/plain', 'List-Unsubscribe=One-Click'],
    ['multipart/form-data', 'no boundary'],
    ['multipart/form-data; boundary=x', '--x\r\n\r\nOne-Click\r\n--x--'],
  ])('takes every POST at its word, whatever comes along: %s %j', async (type, payload) => {
    const url = pathOf(links.unsubscribe);
    const headers = { 'content-type': type };
    const answer = await tracked.test.app.inject({ method: 'POST', url, headers, payload });
    expect(answer.statusCode).toBe(200);
    expect(await entry()).toMatchObject({ reason: 'unsubscribed' });
  });

  it.each([
    ['application/json', '{'],
    ['application/pdf', 'List-Unsubscribe=One-Click'],
  ])('refuses what is no form: %s %j', async (type, payload) => {
    const url = pathOf(links.unsubscribe);
    const headers = { 'content-type': type };
    const answer = await tracked.test.app.inject({ method: 'POST', url, headers, payload });
    expect([400, 415]).toContain(answer.statusCode);
    expect(await entry()).toBeUndefined();
  });

  it('works by the button, is told on the timeline, and can be taken back on the page', async () => {
    const left = await post(links.unsubscribe, { do: 'leave' });
    expect(left.body).toContain('You are unsubscribed');
    const { items } = await call('GET', `/api/emails/${send.contactId}/timeline`);
    expect(items).toContainEqual(
      expect.objectContaining({
        kind: 'suppressed',
        reason: 'unsubscribed',
        note: 'From “Spring news”',
        by: null,
      }),
    );
    expect((await get(links.unsubscribe)).body).toContain('Keep getting emails');
    expect((await post(links.unsubscribe, { do: 'come-back' })).body).toContain('You get emails again');
    expect(await entry()).toBeUndefined();
    expect((await post(links.unsubscribe, { do: 'come-back' })).body).toContain('You get emails again');
    const after = await call('GET', `/api/emails/${send.contactId}/timeline`);
    expect(after.items).toContainEqual(
      expect.objectContaining({ kind: 'lifted', why: 'The recipient took it back', by: null }),
    );
  });

  it('cannot be taken back later, nor an entry that others have made', async () => {
    await post(links.unsubscribe, { do: 'leave' });
    await sql`update suppressions set created_at = now() - interval '61 minutes' where local = ${send.local}`.execute(
      tracked.test.owner.system,
    );
    expect((await post(links.unsubscribe, { do: 'come-back' })).body).not.toContain('You get emails again');
    expect(await entry()).toBeDefined();
    const other = await tracked.send(mailing);
    await call('POST', '/api/suppressions/email', { emailId: other.contactId });
    const own = mailing.linksOf(other.sendId);
    const left = await post(own.unsubscribe, { do: 'leave' });
    expect(left.body).toContain('You are unsubscribed');
    expect(left.body).not.toContain('Keep getting emails');
    expect((await get(own.unsubscribe)).body).not.toContain('Keep getting emails');
    await post(own.unsubscribe, { do: 'come-back' });
    expect(await entry(other)).toMatchObject({ created_by: expect.any(String) });
  });

  it('is remembered of somebody who is on the list for another reason', async () => {
    await call('POST', '/api/suppressions/email', { emailId: send.contactId });
    expect((await get(links.unsubscribe)).body).toContain('You are unsubscribed');
    await post(links.unsubscribe, oneClick);
    expect(await entry()).toMatchObject({
      reason: 'unsubscribed',
      note: 'From “Spring news”. On the list before: manual',
    });
    expect(await events()).toEqual({ leave: 1 });
    expect(await miscounted(tracked.test, send.workspaceId)).toEqual([]);
    await post(links.unsubscribe, oneClick);
    expect(await events()).toEqual({ leave: 1 });
  });

  it('holds for the contact that it was merged into, and after the merge is undone', async () => {
    const kept = await tracked.send(mailing);
    const merge = { keepId: kept.contactId, otherIds: [send.contactId] };
    const { mergeId } = await call('POST', '/api/review/duplicates/merge', merge);
    await post(links.unsubscribe, { do: 'leave' });
    expect(await entry(kept)).toMatchObject({ reason: 'unsubscribed' });
    expect((await post(links.unsubscribe, { do: 'come-back' })).body).toContain('You get emails again');
    expect([await entry(), await entry(kept)]).toEqual([undefined, undefined]);
    await post(links.unsubscribe, oneClick);
    await call('POST', `/api/merges/${mergeId}/undo`);
    expect([await entry(), await entry(kept)]).toMatchObject(
      Array.from({ length: 2 }, () => ({ reason: 'unsubscribed' })),
    );
    expect(await miscounted(tracked.test, send.workspaceId)).toEqual([]);
  });

  it('is that of the contact alone once it is back from the bin', async () => {
    const kept = await tracked.send(mailing);
    const merge = { keepId: kept.contactId, otherIds: [send.contactId] };
    await call('POST', '/api/review/duplicates/merge', merge);
    const [removal] = (await call('GET', '/api/removals')).items;
    expect(await call('POST', `/api/removals/${removal.id}/restore`)).toMatchObject({ restored: 1 });
    await post(links.unsubscribe, oneClick);
    expect([await entry(), await entry(kept)]).toMatchObject([{ reason: 'unsubscribed' }, undefined]);
  });

  it('that waits for the list follows a contact that is corrected meanwhile', async () => {
    const slip = await tracked.send(mailing, `slip${send.contactId}@gmial.com`);
    await insertWish(slip);
    await call('POST', '/api/verifications');
    const accepted = await call('POST', '/api/review/corrections/accept', { ids: [slip.contactId] });
    expect(accepted).toMatchObject({ corrected: 1 });
    expect(await mayBeMailed(slip)).toBe(false);
    expect((await get(mailing.linksOf(slip.sendId).preferences)).body).toContain('You are unsubscribed');
    await carryOutWishes(parts(), slip.workspaceId);
    for (const domain of ['gmail.com', 'gmial.com'])
      expect(await entry({ ...slip, domain })).toMatchObject({ reason: 'unsubscribed' });
    expect(await events(slip)).toEqual({ leave: 1 });
  });

  it('that waits for the list can be taken back after a correction', async () => {
    const slip = await tracked.send(mailing, `back${send.contactId}@gmial.com`);
    await insertWish(slip);
    await call('POST', '/api/verifications');
    await call('POST', '/api/review/corrections/accept', { ids: [slip.contactId] });
    const { unsubscribe } = mailing.linksOf(slip.sendId);
    expect((await post(unsubscribe, { do: 'come-back' })).body).toContain('You get emails again');
    await carryOutWishes(parts(), slip.workspaceId);
    expect(await entry({ ...slip, domain: 'gmail.com' })).toBeUndefined();
    expect(await mayBeMailed(slip)).toBe(true);
  });

  it('that waits for the list holds for the contact that theirs was merged into, or is merged into', async () => {
    const [kept, late] = [await tracked.send(mailing), await tracked.send(mailing)];
    const merge = (keepId: number, other: number) =>
      call('POST', '/api/review/duplicates/merge', { keepId, otherIds: [other] });
    await merge(kept.contactId, send.contactId);
    const held = tracked.test.owner.system;
    await held.transaction().execute(async (tx) => {
      await sql.raw(lockStatement(figuresLock, send.workspaceId)).execute(tx);
      expect((await post(links.unsubscribe, oneClick)).body).toContain('You are unsubscribed');
      expect(await mayBeMailed(kept)).toBe(false);
      const { preferences } = mailing.linksOf(kept.sendId);
      expect((await get(preferences)).body).toContain('You are unsubscribed');
    });
    expect(await entry(kept)).toBeUndefined();
    await merge(late.contactId, kept.contactId);
    expect(await mayBeMailed(late)).toBe(false);
    await carryOutWishes(parts(), send.workspaceId);
    for (const one of [send, kept, late])
      expect(await entry(one)).toMatchObject({ reason: 'unsubscribed', note: 'From “Spring news”' });
    expect([await events(), await events(kept)]).toEqual([{ leave: 1 }, {}]);
  });

  it('that waits for the list is taken back as a whole, also by a message to the kept contact', async () => {
    const kept = await tracked.send(mailing);
    const to = { keepId: kept.contactId, otherIds: [send.contactId] };
    await call('POST', '/api/review/duplicates/merge', to);
    await tracked.test.owner.system.transaction().execute(async (tx) => {
      await sql.raw(lockStatement(figuresLock, send.workspaceId)).execute(tx);
      await post(links.unsubscribe, oneClick);
    });
    const { unsubscribe } = mailing.linksOf(kept.sendId);
    expect((await post(unsubscribe, { do: 'come-back' })).body).toContain('You get emails again');
    await carryOutWishes(parts(), send.workspaceId);
    expect([await entry(), await entry(kept)]).toEqual([undefined, undefined]);
  });

  it('that is taken back while it is being carried out stays taken back', async () => {
    await insertWish(send);
    let isRead = false;
    // Somebody presses the button once the job has read what it is to carry out.
    const db = {
      asTenant: async <T>(workspaceId: number, work: (tx: TenantTx) => Promise<T>) => {
        const answer = await tracked.test.database.asTenant(workspaceId, work);
        if (!isRead) await post(links.unsubscribe, { do: 'come-back' });
        isRead = true;
        return answer;
      },
    } as Database;
    await carryOutWishes({ ...parts(), db }, send.workspaceId);
    expect([isRead, await entry()]).toEqual([true, undefined]);
    expect(await events()).toEqual({});
  });

  it('holds at once while an import has the suppression list, and reaches the list later', async () => {
    const held = tracked.test.owner.system;
    await held.transaction().execute(async (tx) => {
      await sql.raw(lockStatement(figuresLock, send.workspaceId)).execute(tx);
      const begun = performance.now();
      const answer = await post(links.unsubscribe, oneClick);
      expect(performance.now() - begun).toBeLessThan(2_000);
      expect([answer.statusCode, answer.body.includes('You are unsubscribed')]).toEqual([200, true]);
      expect(await mayBeMailed()).toBe(false);
      expect((await get(links.unsubscribe)).body).toContain('You are unsubscribed');
    });
    expect(await entry()).toBeUndefined();
    // Whoever is erased meanwhile is found by their contact.
    const { rows } = await sql`
      select contact_id as "contactId" from leave_wishes where local = ${send.local} and done_at is null`.execute(
      tracked.test.owner.system,
    );
    expect(rows).toEqual([{ contactId: send.contactId }]);
    await carryOutWishes(parts(), send.workspaceId);
    expect(await entry()).toMatchObject({ reason: 'unsubscribed' });
  });

  it('that cannot be carried out keeps no other waiting', async () => {
    const other = await tracked.send(mailing);
    const { system } = tracked.test.owner;
    for (const one of [send, other]) await insertWish(one);
    await sql`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'this wish is broken'; end $$`.execute(system);
    await sql`
      create trigger refuse before update on leave_wishes for each row
      when (old.local = ${sql.lit(send.local)}) execute function refuse()`.execute(system);
    expect(await selectWorkspacesWithWishes(tracked.test.database.system)).toEqual([send.workspaceId]);
    await carryOutWishes(parts(), send.workspaceId);
    await sql`drop function refuse cascade`.execute(system);
    expect([await entry(), await entry(other)]).toMatchObject([undefined, { reason: 'unsubscribed' }]);
    await carryOutWishes(parts(), send.workspaceId);
    expect(await entry()).toMatchObject({ reason: 'unsubscribed' });
    expect(await selectWorkspacesWithWishes(tracked.test.database.system)).toEqual([]);
  });

  it('and pauses leave no wish or row behind that is over', async () => {
    await post(links.unsubscribe, { do: 'leave' });
    const other = await tracked.send(mailing);
    await post(mailing.linksOf(other.sendId).preferences, { pause: '1' });
    const left = async () => {
      const { rows } = await sql<{ wishes: number; pauses: number }>`
        select (select count(*)::int from leave_wishes where local = ${send.local}) as wishes,
          (select count(*)::int from mailing_pauses where local = ${other.local}) as pauses`.execute(
        tracked.test.owner.system,
      );
      return rows[0];
    };
    await tracked.test.nightly();
    expect(await left()).toEqual({ wishes: 1, pauses: 1 });
    await sql`update leave_wishes set done_at = done_at - interval '31 days'`.execute(
      tracked.test.owner.system,
    );
    await sql`update mailing_pauses set until = now() - interval '1 second'`.execute(
      tracked.test.owner.system,
    );
    await tracked.test.nightly();
    expect(await left()).toEqual({ wishes: 0, pauses: 0 });
    expect(await entry()).toBeDefined();
  });

  it('outlives the contact', async () => {
    await post(links.unsubscribe, { do: 'leave' });
    const { statusCode } = await tracked.test.app.inject({
      method: 'DELETE',
      url: `/api/emails/${send.contactId}`,
      headers: { cookie: tracked.owner.cookie },
    });
    expect(statusCode).toBe(200);
    expect(await entry()).toBeDefined();
  });
});

describe('preferences', () => {
  it('pause the emails for 1, 3 or 6 months, and end the pause', async () => {
    await get(links.preferences);
    expect(await mayBeMailed()).toBe(true);
    const paused = await post(links.preferences, { pause: '3' });
    expect([paused.statusCode, paused.body.includes('You are taking a break')]).toEqual([200, true]);
    expect(await mayBeMailed()).toBe(false);
    expect(await entry()).toBeUndefined();
    expect((await post(links.preferences, { do: 'end-pause' })).body).toContain('The break is over');
    expect(await mayBeMailed()).toBe(true);
    expect((await post(links.preferences, { pause: '2' })).body).toContain('Nothing was changed');
    expect((await post(links.preferences, { do: 'leave' })).body).toContain('You are unsubscribed');
    expect((await post(links.preferences, { pause: '1' })).body).toContain('You are unsubscribed');
  });

  it('keep a break through a correction, its undoing and a merge', async () => {
    const slip = await tracked.send(mailing, `break${send.contactId}@gmial.com`);
    await post(mailing.linksOf(slip.sendId).preferences, { pause: '3' });
    await call('POST', '/api/verifications');
    const accepted = await call('POST', '/api/review/corrections/accept', { ids: [slip.contactId] });
    expect(accepted).toMatchObject({ corrected: 1 });
    expect(await mayBeMailed(slip)).toBe(false);
    await call('POST', `/api/corrections/${accepted.correctionId}/undo`);
    expect(await mayBeMailed(slip)).toBe(false);
    await post(links.preferences, { pause: '1' });
    const merge = { keepId: send.contactId, otherIds: [slip.contactId] };
    await call('POST', '/api/review/duplicates/merge', merge);
    const { rows } = await sql<{ days: number }>`
      select extract(day from until - now())::int as days from mailing_pauses
      where local = ${send.local} and domain = ${send.domain}`.execute(tracked.test.owner.system);
    expect(rows[0]?.days).toBeGreaterThan(80);
    // What the message to the one that is gone ends or begins holds for the one that stays.
    const { preferences } = mailing.linksOf(slip.sendId);
    await post(preferences, { do: 'end-pause' });
    expect(await mayBeMailed()).toBe(true);
    await post(preferences, { pause: '1' });
    expect(await mayBeMailed()).toBe(false);
  });
});

describe('the pages', () => {
  it('are in the brand, and say whose they are', async () => {
    await call('PATCH', '/api/settings', {
      sender: { company: 'Tea & Co', postalAddress: '1 Mill Lane\nYork' },
    });
    await tracked.test.app.inject({
      method: 'PUT',
      url: '/api/templates/brand',
      headers: { cookie: tracked.owner.cookie },
      payload: { button: '#7a1f5c', logo: 'https://a.example/logo.png', logoAlt: 'Tea' },
    });
    const { body, headers } = await get(links.unsubscribe);
    expect(body).toContain('<address>Tea &amp; Co<br>1 Mill Lane<br>York</address>');
    expect(body).toContain('#7a1f5c');
    expect(body).toContain('<img src="https://a.example/logo.png" alt="Tea">');
    expect(body).not.toMatch(/<script|style=/);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  it('show a message shut in', async () => {
    const answer = await get(links.view);
    expect(answer.body).toBe(playedPage);
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toMatch(/default-src 'none'.*sandbox allow-popups/);
    expect(policy).not.toMatch(/allow-(scripts|same-origin|forms)/);
    const other = await tracked.send(mailing, undefined, { workspaceId: stranger.workspaceId });
    expect((await get(mailing.linksOf(other.sendId).view)).statusCode).toBe(404);
  });
});
