import { sql } from 'kysely';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { describe, expect, it, vi } from 'vitest';
import { londonClock, londonMoment } from '#platform/shared/london-time.ts';
import { importCsv } from '#test/support/app.ts';
import { openSendingApp } from '#test/support/sending-app.ts';
import type { Treatment } from '#test/support/smtp-peer.ts';

// Campaigns over the wire: everybody gets one message, and the books say what became of each.

const app = openSendingApp({ anew: 'owner' });
const { call } = app;

const people = (count: number, domain: string) =>
  `email,first name\n${Array.from({ length: count }, (_, n) => `p${n}@${domain},Person ${n}`).join('\n')}\n`;

const written = {
  name: 'News',
  subject: 'For {{ first_name }}',
  content: 'Dear {{ first_name | default: "friend" }},\n\nhere is the news.',
  template: 'simple',
};

const mailingOf = async (campaignId: number) => {
  const { rows } = await sql<{ books: Record<string, number> | null }>`
    select books from mailings where campaign_id = ${campaignId}`.execute(app.test.owner.system);
  return rows[0];
};

const ended = (id: number) =>
  vi.waitFor(
    async () => {
      const campaign = await call('GET', `/api/campaigns/${id}`);
      expect(campaign.endedAt).not.toBeNull();
      return campaign;
    },
    { timeout: 20_000, interval: 50 },
  );

/** Signs with a key of the sender's domain. Answers its DNS record. */
async function sendFromHarbour(): Promise<{ host: string; value: string }> {
  const added = await call('POST', '/api/sender-domains', { domain: 'harbour.co.uk' });
  const [key] = added.records.filter(({ purpose }: { purpose: string }) => purpose === 'dkim');
  await call('PATCH', '/api/settings', {
    sender: {
      fromName: 'Harbour & Pine',
      fromAddress: 'news@harbour.co.uk',
      company: 'Harbour & Pine',
      postalAddress: '14 Quay Street\nWhitby',
    },
  });
  return key;
}

describe('a campaign', () => {
  it('shows blocks by the tags that each has, and those of a deleted tag to nobody', async () => {
    await importCsv(app.test.app, app.owner.cookie, people(3, 'tagged.co.uk'));
    const tagged = async (name: string, search: string): Promise<number> => {
      const { id } = await call('POST', '/api/tags', { name });
      await call('POST', `/api/tags/${id}/contacts`, { filter: { search } });
      return id;
    };
    const agency = await tagged('Agency', 'p1@tagged');
    const gone = await tagged('Gone', 'p1@tagged');
    const text = (id: string, tag: number, operator: string) => ({
      ...{ id, type: 'text', html: `<p>For ${id}</p>`, showWhen: { tag, operator } },
    });
    const document = {
      version: 1,
      blocks: [
        text('agencies', agency, 'has_tag'),
        text('others', agency, 'lacks_tag'),
        text('the gone', gone, 'has_tag'),
        text('all but the gone', gone, 'lacks_tag'),
        { id: 'f', type: 'footer' },
      ],
    };
    const wordsFor = async (contactId?: number) => {
      const { html } = await call('POST', '/api/templates/preview', { document, contactId });
      return html.match(/For [a-z ]+/g);
    };
    const { emails } = await call('GET', '/api/emails?search=p1@tagged');
    expect(await wordsFor(emails[0].id)).toEqual(['For agencies', 'For the gone']);
    // The sample has no tags.
    expect(await wordsFor()).toEqual(['For others', 'For all but the gone']);

    const template = await call('POST', '/api/templates', { name: 'Tags', category: 'custom', document });
    const deleted = await call('DELETE', `/api/tags/${gone}`);
    expect(deleted.usedBy).toEqual([{ kind: 'template', id: template.id, name: 'Tags' }]);
    expect(await wordsFor(emails[0].id)).toEqual(['For agencies']);
    const audience = { include: [{ filter: { search: '@tagged' } }] };
    const { id } = await call('POST', '/api/campaigns', {
      ...{ name: written.name, subject: written.subject, audience, document },
    });
    const { checks } = await call('GET', `/api/campaigns/${id}/check`);
    expect(checks.find(({ key }: { key: string }) => key === 'merge_fields')).toMatchObject({
      result: 'advice',
      words: expect.stringContaining('a tag that is not there any more'),
    });
    await call('POST', `/api/campaigns/${id}/send`);
    expect(await ended(id)).toMatchObject({ sent: 3, neverLeft: false });
    for (const [who, words] of [
      ['p0', ['For others']],
      ['p1', ['For agencies']],
      ['p2', ['For others']],
    ] as const) {
      const raw = app.peer.taken.find(({ to }) => to === `${who}@tagged.co.uk`)?.raw ?? '';
      const { html, text } = await PostalMime.parse(raw);
      expect(html?.match(/For (agencies|others|the gone|all but the gone)/g)).toEqual(words);
      expect(text?.match(/For (agencies|others|the gone|all but the gone)/g)).toEqual(words);
    }
  });

  it('is named as a use of a tag by its content, until the last of it has left', async () => {
    await importCsv(app.test.app, app.owner.cookie, people(3, 'used.co.uk'));
    const tag = await call('POST', '/api/tags', { name: 'Used' });
    const block = {
      id: 'b',
      type: 'text',
      html: '<p>Hi</p>',
      showWhen: { tag: tag.id, operator: 'has_tag' },
    };
    const document = { version: 1, blocks: [block, { id: 'f', type: 'footer' }] };
    const create = async (name: string, more: object): Promise<number> =>
      (await call('POST', '/api/campaigns', { subject: 'Hi', ...more, name })).id;
    const audience = { include: [{ filter: { search: '@used' } }] };
    const draft = await create('A draft', { document });
    const tested = { variants: [{ content: `{% if _tags.t${tag.id} %}Hi{% endif %}` }] };
    const inVariant = await create('B variant', { ...written, abTest: tested });
    await create('C another tag', { ...written, content: `{{ _tags.t${tag.id}0 }}` });
    const asking = await create('D audience', { document, audience: { include: [{ tag: tag.id }] } });
    const moving = await create('E moving', { document, audience });
    const removed = await create('F removed', { document });
    await call('DELETE', `/api/campaigns/${removed}`);
    const unsent = [
      { kind: 'campaign', id: draft, name: 'A draft', onlyBlocks: true },
      { kind: 'campaign', id: inVariant, name: 'B variant', onlyBlocks: true },
      { kind: 'campaign', id: asking, name: 'D audience' },
    ];
    const use = { kind: 'campaign', id: moving, name: 'E moving', onlyBlocks: true };
    const usedBy = async () => (await call('GET', `/api/tags/${tag.id}`)).usedBy;
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    await call('POST', `/api/campaigns/${moving}/schedule`, { sendAt });
    expect(await usedBy()).toEqual([...unsent, use]);
    app.peer.delayMs = 2_000;
    await call('POST', `/api/campaigns/${moving}/send`);
    expect(await call('POST', `/api/campaigns/${moving}/pause`)).toMatchObject({ status: 'paused' });
    expect(await usedBy()).toEqual([...unsent, use]);
    app.peer.delayMs = 0;
    await call('POST', `/api/campaigns/${moving}/resume`);
    await ended(moving);
    expect(await usedBy()).toEqual(unsent);
    expect((await call('DELETE', `/api/tags/${tag.id}`)).usedBy).toEqual(unsent);
  });

  it('goes to everybody who may be mailed, once', async () => {
    await importCsv(app.test.app, app.owner.cookie, people(1200, 'shop.co.uk'));
    await call('POST', '/api/suppressions/email/manual', { email: 'p7@shop.co.uk' });
    const { id } = await call('POST', '/api/campaigns', written);
    const sent = await call('POST', `/api/campaigns/${id}/send`);
    expect(sent).toMatchObject({ status: 'sending' });
    const campaign = await ended(id);
    expect(campaign).toMatchObject({ status: 'completed', totalRecipients: 1199, sent: 1199, pending: 0 });
    const took = app.peer.taken.map(({ to }) => to);
    expect(took).toHaveLength(1199);
    expect(new Set(took).size).toBe(1199);
    const one = app.peer.taken.find(({ to }) => to === 'p12@shop.co.uk');
    expect(one?.raw).toMatch(/^Subject: For Person 12\r$/m);
    expect(one?.raw).toMatch(/^List-Unsubscribe: </m);
    const told = async (search: string) => {
      const [{ id: contact }] = (await call('GET', `/api/emails?search=${search}`)).emails;
      const { items } = await call('GET', `/api/emails/${contact}/timeline`);
      return items.filter(({ kind }: { kind: string }) => kind === 'mailed');
    };
    expect(await told('p12@shop.co.uk')).toEqual([
      { kind: 'mailed', by: null, mailing: 'News', at: expect.any(String) },
    ]);
    expect(await told('p7@shop.co.uk')).toEqual([]);
  });

  it('is counted to the last recipient, whatever mail servers do', async () => {
    const treatments: Treatment[] = ['take', 'later', 'never', 'refuse', 'drop before', 'drop after'];
    const treatmentOf = (to: string) =>
      treatments[Number(/\d+/.exec(to)?.[0]) % treatments.length] as Treatment;
    await importCsv(app.test.app, app.owner.cookie, people(300, 'chaos.co.uk'));
    app.peer.treat = (to) => (to.endsWith('@chaos.co.uk') ? treatmentOf(to) : 'never');
    const list = await call('POST', '/api/lists', { name: 'Chaos' });
    await call('POST', `/api/lists/${list.id}/contacts`, { filter: { domain: 'chaos.co.uk' } });
    const { id } = await call('POST', '/api/campaigns', {
      ...written,
      audience: { include: [{ list: list.id }] },
    });
    await call('POST', `/api/campaigns/${id}/send`);
    const campaign = await vi.waitFor(async () => {
      const now = await call('GET', `/api/campaigns/${id}`);
      // Those that are to be tried later and those whose connection broke wait.
      expect(now.pending).toBe(100);
      return now;
    }, 20_000);
    expect(campaign).toMatchObject({
      totalRecipients: 300,
      sent: 50,
      failed: 100,
      uncertain: 50,
      skipped: 0,
    });
    // Those refused for good came back. Whose address is not there is mailed no more, and sees why.
    // What was refused at once was never sent, so nothing of it is taken from what was delivered.
    expect(campaign).toMatchObject({ bounced: 100, complained: 0, delivered: campaign.sent });
    const suppressed = await vi.waitFor(async () => {
      const found = await call('GET', '/api/suppressions/emails?search=chaos.co.uk&limit=100');
      expect(found.totalCount).toBe(50);
      return found.items;
    }, 10_000);
    expect(suppressed[0]).toMatchObject({
      reason: 'bounced',
      note: '550 5.1.1 no such user',
      createdBy: null,
    });
    const [gone] = (await call('GET', '/api/emails?search=p2@chaos.co.uk')).emails;
    expect(gone).toMatchObject({ status: 'suppressed' });
    const { items } = await call('GET', `/api/emails/${gone.id}/timeline`);
    expect(items).toContainEqual(
      expect.objectContaining({
        kind: 'bounced',
        class: 'hard',
        reason: 'no_such_user',
        mailing: 'News',
        said: '550 5.1.1 no such user',
      }),
    );
    const took = app.peer.taken.map(({ to }) => to);
    expect(took).toHaveLength(100);
    expect(new Set(took).size).toBe(100);
    const failed = await call('GET', `/api/campaigns/${id}/recipients?state=failed&limit=2`);
    expect(failed).toMatchObject({ totalCount: 100 });
    expect(failed.items[0]).toMatchObject({ reply: expect.stringMatching(/^55[04] 5\./), attempts: 1 });
    const later = await call('GET', `/api/campaigns/${id}/recipients?state=deferred&search=p1@chaos.co.uk`);
    expect(later.items[0]).toMatchObject({ address: 'p1@chaos.co.uk', reply: '451 4.7.1 try again later' });
    expect(Date.parse(later.items[0].dueAt)).toBeGreaterThan(Date.now());
    for (const state of ['', 'pending', 'sent', 'deferred', 'failed', 'skipped', 'uncertain', 'left_out']) {
      const query = state === '' ? '' : `&state=${state}`;
      const listed = await call('GET', `/api/campaigns/${id}/recipients?limit=1000${query}`);
      expect([state, listed.totalCount]).toEqual([state, listed.items.length]);
    }
    // Whoever follows it is told of every change, and of its end.
    const followed = app.test.app.inject({
      ...{ method: 'GET', url: `/api/campaigns/${id}/events`, headers: { cookie: app.owner.cookie } },
    });
    // All whose answer was never seen are sent once more, when somebody says so.
    const again = await call('POST', `/api/campaigns/${id}/recipients/send-again`);
    expect(again).toMatchObject({ uncertain: 0, pending: 150, totalRecipients: 300 });
    await vi.waitFor(async () => {
      expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({ uncertain: 50, pending: 100 });
    }, 20_000);
    expect(app.peer.taken.map(({ to }) => to)).toHaveLength(150);
    // Cancelling leaves nobody open.
    await call('POST', `/api/campaigns/${id}/cancel`);
    expect(await ended(id)).toMatchObject({ status: 'cancelled', pending: 0, skipped: 100, uncertain: 50 });
    const { headers, body } = await followed;
    expect(headers['content-type']).toMatch(/^text\/event-stream/);
    const told = body.trim().split('\n\n');
    expect(told.at(-1)).toContain('event: done');
    const figures = told.map((event) => JSON.parse(event.split('data: ')[1] ?? ''));
    expect(figures.at(-1)).toMatchObject({ status: 'cancelled', sent: 50, pending: 0, skipped: 100 });
    expect(figures[0]).toMatchObject({ totalRecipients: 300, sent: 50 });
    // What has ended is told from its books, which agree with its parts.
    const booksOf = async () => (await mailingOf(id))?.books;
    const { rows } = await sql<Record<string, number>>`
      select sum(p.total)::int as total, sum(p.sent)::int as sent, sum(p.failed)::int as failed,
        sum(p.skipped)::int as skipped, sum(p.uncertain)::int as uncertain, sum(p.deferred)::int as deferred
      from send_parts p join mailings m on m.workspace_id = p.workspace_id and m.id = p.mailing_id
      where m.campaign_id = ${id}`.execute(app.test.owner.system);
    expect(await booksOf()).toEqual(rows[0]);
    expect(await booksOf()).toMatchObject({ total: 300, sent: 50, skipped: 100 });
    expect(await listed('?status=cancelled')).toContainEqual(
      expect.objectContaining({ id, failed: 100, pending: 0 }),
    );
  });

  it('is paused with the server’s words when nothing of it would get through, and fails nobody', async () => {
    await importCsv(app.test.app, app.owner.cookie, people(60, 'stopped.co.uk'));
    const list = await call('POST', '/api/lists', { name: 'Stopped' });
    await call('POST', `/api/lists/${list.id}/contacts`, { filter: { domain: 'stopped.co.uk' } });
    const { id } = await call('POST', '/api/campaigns', {
      ...written,
      audience: { include: [{ list: list.id }] },
    });
    app.peer.treat = () => 'account';
    await call('POST', `/api/campaigns/${id}/send`);
    await vi.waitFor(async () => {
      const campaign = await call('GET', `/api/campaigns/${id}`);
      expect(campaign).toMatchObject({ status: 'paused', failed: 0, sent: 0 });
      expect(campaign.notice).toBe(
        'The sending account may not send, or no more for now. ' +
          'The mail server said: 554 Message rejected: Email address is not verified.',
      );
    }, 20_000);
    app.peer.treat = () => 'take';
    await call('POST', `/api/campaigns/${id}/resume`);
    expect(await ended(id)).toMatchObject({ status: 'completed', sent: 60 });
  });

  it('is paused once too much of it bounces, and goes on when somebody says so', async () => {
    await importCsv(app.test.app, app.owner.cookie, people(900, 'stale.co.uk'));
    const list = await call('POST', '/api/lists', { name: 'Stale' });
    await call('POST', `/api/lists/${list.id}/contacts`, { filter: { domain: 'stale.co.uk' } });
    const { id } = await call('POST', '/api/campaigns', {
      ...written,
      audience: { include: [{ list: list.id }] },
    });
    app.peer.treat = (to) => (Number(/\d+/.exec(to)?.[0]) % 10 === 0 ? 'never' : 'take');
    app.peer.delayMs = 60;
    await call('POST', `/api/campaigns/${id}/send`);
    await vi.waitFor(async () => {
      const campaign = await call('GET', `/api/campaigns/${id}`);
      expect(campaign.status).toBe('paused');
      expect(campaign.notice).toMatch(/% of [5-8]\d\d messages bounced for good/);
      expect(campaign.pending).toBeGreaterThan(0);
    }, 20_000);
    await call('POST', `/api/campaigns/${id}/resume`);
    expect(await ended(id)).toMatchObject({ status: 'completed', sent: 810, failed: 90, bounced: 90 });
  });

  it('lets what goes to a domain wait that asks for less mail, and sends the rest', async () => {
    const list = await call('POST', '/api/lists', { name: 'Slow and quick' });
    for (const [domain, count] of [
      ['strict.co.uk', 95],
      ['quick.co.uk', 30],
    ] as const) {
      await importCsv(app.test.app, app.owner.cookie, people(count, domain));
      await call('POST', `/api/lists/${list.id}/contacts`, { filter: { domain } });
    }
    app.peer.treat = (to) => (to.endsWith('@strict.co.uk') ? 'slow down' : 'take');
    const audience = { include: [{ list: list.id }] };
    const { id } = await call('POST', '/api/campaigns', { ...written, audience });
    await call('POST', `/api/campaigns/${id}/send`);
    const deferred = await vi.waitFor(async () => {
      expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({ sent: 30, pending: 95 });
      const list = await call('GET', `/api/campaigns/${id}/recipients?state=deferred&limit=1000`);
      expect(list.totalCount).toBe(95);
      return list.items as { attempts: number; words: string; dueAt: string }[];
    }, 20_000);
    // Those under way when it first asked have been tried, and no others.
    const untried = deferred.filter(({ attempts }) => attempts === 0);
    expect(untried.length).toBeGreaterThan(20);
    expect(app.peer.asked).toBe(30 + 95 - untried.length);
    expect(untried[0]?.words).toBe('Waits for another try: the servers of their domain asked for less mail');
    expect(Date.parse(untried[0]?.dueAt ?? '')).toBeGreaterThan(Date.now() + 600_000);
    await call('POST', `/api/campaigns/${id}/cancel`);
    await ended(id);
  });

  it('lets all domains wait together whose mail one provider takes', async () => {
    const list = await call('POST', '/api/lists', { name: 'Hosted' });
    for (const [domain, provider] of [
      ['one-hosted.co.uk', 'google.com'],
      ['two-hosted.co.uk', 'google.com'],
      ['elsewhere.co.uk', 'elsewhere.co.uk'],
    ]) {
      await importCsv(app.test.app, app.owner.cookie, people(2, `${domain}`));
      await call('POST', `/api/lists/${list.id}/contacts`, { filter: { domain } });
      await sql`
        insert into domain_mail (domain, state, via, provider, checked_at, expires_at)
        values (${domain}, 'mail', 'mx', ${provider}, now(), now() + interval '7 days')`.execute(
        app.test.owner.system,
      );
    }
    await sql`
      insert into slow_domains (workspace_id, domain, until, times)
      values (${app.owner.workspaceId}, 'google.com', now() + interval '1 hour', 1)`.execute(
      app.test.owner.system,
    );
    const audience = { include: [{ list: list.id }] };
    const { id } = await call('POST', '/api/campaigns', { ...written, audience });
    await call('POST', `/api/campaigns/${id}/send`);
    await vi.waitFor(async () => {
      expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({ sent: 2, pending: 4 });
      const { items } = await call('GET', `/api/campaigns/${id}/recipients?state=deferred`);
      expect(items).toHaveLength(4);
    }, 20_000);
    await call('POST', `/api/campaigns/${id}/cancel`);
    await ended(id);
  });

  it('goes to nobody who has left, moved or been removed meanwhile, and stops when it is paused', async () => {
    await importCsv(app.test.app, app.owner.cookie, people(900, 'slow.co.uk'));
    const list = await call('POST', '/api/lists', { name: 'Slow' });
    await call('POST', `/api/lists/${list.id}/contacts`, { filter: { domain: 'slow.co.uk' } });
    const { id } = await call('POST', '/api/campaigns', {
      ...written,
      audience: { include: [{ list: list.id }] },
    });
    await call('POST', `/api/campaigns/${id}/send`);
    await vi.waitFor(() => expect(app.peer.taken.length).toBeGreaterThan(20), {
      timeout: 20_000,
      interval: 5,
    });
    const paused = await call('POST', `/api/campaigns/${id}/pause`);
    const answeredAt = performance.now();
    expect(paused.message).toBeUndefined();
    expect(paused).toMatchObject({ status: 'paused' });
    const rest = (await call('GET', `/api/campaigns/${id}/recipients?state=pending&limit=1000`)).items;
    expect(rest.length).toBeGreaterThan(10);
    const [left, removed, moved, refused] = rest.slice(-4);
    await call('POST', '/api/suppressions/email/manual', { email: left.address, reason: 'unsubscribed' });
    await call('DELETE', '/api/emails/bulk', { ids: [removed.contactId] });
    await call('PUT', `/api/emails/${refused.contactId}/basis`, { basis: 'none' });
    await app.test.owner.system.transaction().execute(async (tx) => {
      await sql`update contacts set local = 'elsewhere', address = null where id = ${moved.contactId}`.execute(
        tx,
      );
    });
    // What was under way at that moment has its answer by now.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(app.peer.taken.filter(({ at }) => at > answeredAt + 1_000)).toEqual([]);
    const count = app.peer.taken.length;
    await call('POST', `/api/campaigns/${id}/resume`);
    const campaign = await ended(id);
    expect(app.peer.taken.length).toBeGreaterThan(count);
    expect(campaign).toMatchObject({ status: 'completed', totalRecipients: 900, sent: 896, skipped: 4 });
    const took = app.peer.taken.map(({ to }) => to);
    expect(new Set(took).size).toBe(896);
    for (const { address } of [left, removed, moved, refused]) expect(took).not.toContain(address);
    const skipped = await call('GET', `/api/campaigns/${id}/recipients?state=skipped`);
    expect(skipped.items.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
      'moved',
      'no_basis',
      'removed',
      'suppressed',
    ]);
  });

  it('names those of its audience who may not be mailed', async () => {
    await importCsv(app.test.app, app.owner.cookie, people(10, 'shop.co.uk'));
    await call('POST', '/api/suppressions/email/manual', { email: 'p7@shop.co.uk' });
    const list = await call('POST', '/api/lists', { name: 'Two' });
    const [item] = (await call('GET', '/api/emails?search=p7@shop.co.uk')).emails;
    const [other] = (await call('GET', '/api/emails?search=p8@shop.co.uk')).emails;
    const [third] = (await call('GET', '/api/emails?search=p9@shop.co.uk')).emails;
    await call('POST', `/api/lists/${list.id}/contacts`, { ids: [item.id, other.id, third.id] });
    await call('PUT', `/api/emails/${third.id}/basis`, { basis: 'none' });
    // Rows of addresses that are there already can be kept as copies.
    await importCsv(app.test.app, app.owner.cookie, 'email\np8@shop.co.uk\n', {
      options: {
        ...{ removeDuplicates: false, validateEmails: false },
        ...{ filterNonUk: false, checkSuppressions: false },
      },
    });
    const copies = (await call('GET', '/api/emails?status=duplicate&search=p8@shop.co.uk')).emails;
    expect(copies).toHaveLength(1);
    await call('POST', `/api/lists/${list.id}/contacts`, { ids: [copies[0].id] });
    const audience = { include: [{ segment: list.id }], exclude: [] };
    expect(await call('POST', '/api/campaigns/audience', audience)).toMatchObject({
      recipients: 1,
      leftOut: { suppressed: 1, no_basis: 1, duplicate: 1 },
    });
    const { id } = await call('POST', '/api/campaigns', { ...written, audience });
    await call('POST', `/api/campaigns/${id}/send`);
    expect(await ended(id)).toMatchObject({
      totalRecipients: 1,
      sent: 1,
      leftOut: { suppressed: 1, no_basis: 1, duplicate: 1 },
    });
    const out = await call('GET', `/api/campaigns/${id}/recipients?state=left_out`);
    expect(out.items).toMatchObject([
      { address: 'p7@shop.co.uk', words: 'Left out: on the suppression list' },
      { address: 'p9@shop.co.uk', words: 'Left out: your settings do not mail their marketing basis' },
      { address: 'p8@shop.co.uk', words: 'Left out: another contact has the same address' },
    ]);
    expect((await call('POST', `/api/campaigns/${id}/send`)).message).toBe('This campaign was sent before.');
  });

  it('is signed, says who writes and how to leave, and has a text part', async () => {
    const key = await sendFromHarbour();
    await importCsv(app.test.app, app.owner.cookie, people(40, 'signed.co.uk'));
    const list = await call('POST', '/api/lists', { name: 'Signed' });
    await call('POST', `/api/lists/${list.id}/contacts`, { filter: { domain: 'signed.co.uk' } });
    const { id } = await call('POST', '/api/campaigns', {
      ...written,
      audience: { include: [{ list: list.id }] },
    });
    await call('POST', `/api/campaigns/${id}/send`);
    expect(await ended(id)).toMatchObject({ sent: 40 });
    const ids = app.peer.taken.map(({ raw }) => /^Message-ID: (.*)\r$/im.exec(raw)?.[1]);
    expect(new Set(ids).size).toBe(40);
    expect(app.peer.taken).toHaveLength(40);
    for (const { raw } of app.peer.taken) {
      const { results } = await dkimVerify(Buffer.from(`${raw}\r\n`, 'latin1'), {
        resolver: async (name) => (name === key.host ? [[key.value]] : []),
        strict: true,
      });
      expect(results.map(({ status }) => status.result)).toEqual(['pass']);
      const signed = /^DKIM-Signature:[\s\S]*?\sh=([^;]+);/m
        .exec(raw)?.[1]
        ?.toLowerCase()
        .replaceAll(/\s/g, '');
      expect(signed?.split(':')).toEqual(
        expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']),
      );
      const mail = await PostalMime.parse(raw);
      expect(mail.text).toContain('here is the news.');
      expect(mail.text).toContain('14 Quay Street');
      expect(mail.html).toMatch(/14 Quay Street<br ?\/?>\s*Whitby/);
      expect(mail.html).toMatch(/<a href="https?:\/\/[^"]+\/u\/[\w-]+"[^>]*>Unsubscribe<\/a>/);
    }
  });

  it('comes to the team before as it will go out, and only to addresses that are confirmed', async () => {
    const key = await sendFromHarbour();
    const differs = { differs: 'subject', variants: [{ subject: 'Tea for {{ first_name }}' }] };
    const { id } = await call('POST', '/api/campaigns', { ...written, abTest: differs });
    const unconfirmed = await call('POST', `/api/campaigns/${id}/test`, {});
    expect(unconfirmed).toMatchObject({
      httpStatus: 400,
      fields: { to: expect.stringContaining('not confirmed') },
    });
    await sql`update users set email_verified = true where email = ${app.owner.email}`.execute(
      app.test.owner.system,
    );
    expect((await call('POST', `/api/campaigns/${id}/test`, { variant: 3 })).httpStatus).toBe(400);
    const answer = await call('POST', `/api/campaigns/${id}/test`, { variant: 2 });
    expect(answer).toMatchObject({ sent: 1, isKept: false });
    const raw = await vi.waitFor(() => {
      const found = app.peer.taken.find(({ raw }) => raw.includes('[Test]'));
      expect(found?.to).toBe(app.owner.email);
      return found?.raw ?? '';
    }, 20_000);
    const { results } = await dkimVerify(Buffer.from(`${raw}\r\n`, 'latin1'), {
      resolver: async (name) => (name === key.host ? [[key.value]] : []),
      strict: true,
    });
    expect(results.map(({ status }) => status.result)).toEqual(['pass']);
    expect(raw).toMatch(/^From: "?Harbour & Pine"? <news@harbour\.co\.uk>\r$/m);
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    const mail = await PostalMime.parse(raw);
    expect(mail.subject).toMatch(/^\[Test\] Tea for \w+$/);
    expect(mail.text).toContain('14 Quay Street');
  });

  it('is not sent once a list of its audience is deleted, which says who asks for it', async () => {
    const list = await call('POST', '/api/lists', { name: 'Short-lived' });
    const audience = { include: [], exclude: [{ list: list.id }] };
    const { id } = await call('POST', '/api/campaigns', { ...written, name: 'Late', audience });
    const gone = await call('DELETE', `/api/lists/${list.id}`);
    expect(gone.usedBy).toEqual([{ kind: 'campaign', id, name: 'Late' }]);
    const refused = await call('POST', `/api/campaigns/${id}/send`);
    expect(refused.httpStatus).toBe(400);
    expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({ status: 'draft' });
  });
});

describe('a scheduled campaign', () => {
  it('that fails keeps no other of its workspace waiting', async () => {
    await importCsv(app.test.app, app.owner.cookie, people(1, 'later.co.uk'));
    const list = await call('POST', '/api/lists', { name: 'Later' });
    await call('POST', `/api/lists/${list.id}/contacts`, { filter: { domain: 'later.co.uk' } });
    const audience = { include: [{ list: list.id }] };
    const scheduled = async () => {
      const { id } = await call('POST', '/api/campaigns', { ...written, audience });
      const sendAt = new Date(Date.now() + 3_600_000).toISOString();
      expect(await call('POST', `/api/campaigns/${id}/schedule`, { sendAt })).toMatchObject({
        status: 'scheduled',
      });
      return id as number;
    };
    const [broken, whole] = [await scheduled(), await scheduled()];
    const { system } = app.test.owner;
    await sql`
      update campaigns set send_at = now() - make_interval(mins => case id when ${broken} then 2 else 1 end) where id in (${broken}, ${whole})`.execute(
      system,
    );
    await sql`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'this campaign is broken'; end $$`.execute(system);
    await sql`
      create trigger refuse before update on campaigns for each row
      when (old.id = ${sql.lit(broken)}) execute function refuse()`.execute(system);
    await sendDueNow();
    expect(await ended(whole)).toMatchObject({ status: 'completed', sent: 1 });
    expect(await call('GET', `/api/campaigns/${broken}`)).toMatchObject({ status: 'scheduled' });
    await sql`drop function refuse cascade`.execute(system);
    await sendDueNow();
    expect(await ended(broken)).toMatchObject({ status: 'completed' });
  });
});

describe('a campaign by the clocks of its recipients', () => {
  it('leaves at its hour in each zone, once, and at once when somebody presses Send', async () => {
    const zones = ['Asia/Tokyo', 'america/new york', 'Europe/Paris', 'Atlantis/Poseidonis', ''];
    const rows = zones.map((zone, n) => `z${n}@zones.co.uk,${zone}`).join('\n');
    await importCsv(app.test.app, app.owner.cookie, `email,Time zone\n${rows}\n`, {
      reading: { columns: ['email', 'extra:Time zone'] },
    });
    const list = await call('POST', '/api/lists', { name: 'Zones' });
    await call('POST', `/api/lists/${list.id}/contacts`, { filter: { domain: 'zones.co.uk' } });
    const { id } = await call('POST', '/api/campaigns', {
      ...written,
      audience: { include: [{ list: list.id }] },
    });
    // Within 14 hours, so that it begins now, and its hour is still to come in Tokyo.
    const wall = londonClock(new Date(Date.now() + 12 * 3_600_000));
    const sendAt = londonMoment(wall) as Date;
    await call('PUT', `/api/campaigns/${id}`, { spreadHours: 3 });
    const both = { sendAt: sendAt.toISOString(), byRecipientZone: true };
    expect(await call('POST', `/api/campaigns/${id}/schedule`, both)).toMatchObject({ httpStatus: 409 });
    await call('PUT', `/api/campaigns/${id}`, { spreadHours: null });
    expect(await call('POST', `/api/campaigns/${id}/schedule`, both)).toMatchObject({
      ...{ status: 'scheduled', byRecipientZone: true },
    });
    expect(await call('PUT', `/api/campaigns/${id}`, { spreadHours: 3 })).toMatchObject({ httpStatus: 409 });
    // Moved to another hour, it stays by their clocks.
    const moved = { sendAt: new Date(sendAt.getTime() + 3_600_000).toISOString() };
    expect(await call('POST', `/api/campaigns/${id}/schedule`, moved)).toMatchObject({
      byRecipientZone: true,
    });
    await call('POST', `/api/campaigns/${id}/schedule`, both);
    await sendDueNow();
    const due = await vi.waitFor(async () => {
      const { items } = await call('GET', `/api/campaigns/${id}/recipients`);
      expect(items).toHaveLength(5);
      return Object.fromEntries(
        items.map((one: { address: string; dueAt: string }) => [one.address, one.dueAt]),
      );
    }, 20_000);
    const inZone = (hours: number) => new Date(Date.parse(`${wall}Z`) - hours * 3_600_000).getTime();
    expect(Date.parse(due['z0@zones.co.uk'])).toBe(inZone(9));
    expect([inZone(-4), inZone(-5)]).toContain(Date.parse(due['z1@zones.co.uk']));
    expect(sendAt.getTime() - Date.parse(due['z2@zones.co.uk'])).toBe(3_600_000);
    // A zone that there is not, and none, are London.
    expect([due['z3@zones.co.uk'], due['z4@zones.co.uk']]).toEqual([both.sendAt, both.sendAt]);
    expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({
      ...{ status: 'sending', totalRecipients: 5, sent: 0, pending: 5, byRecipientZone: true },
    });
    const letTheHourCome = async (address: string) => {
      await sql`
        update sends set due_at = now()
        where local || '@' || domain = ${address} and due_at is not null`.execute(app.test.owner.system);
      await sql`update send_parts set not_before = null, lease_until = null where status <> 'done'`.execute(
        app.test.owner.system,
      );
    };
    await letTheHourCome('z0@zones.co.uk');
    await vi.waitFor(() => expect(app.peer.taken.map(({ to }) => to)).toEqual(['z0@zones.co.uk']), 10_000);
    // The server has the message a moment before the ledger has its answer.
    await vi.waitFor(
      async () => expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({ sent: 1, pending: 4 }),
      10_000,
    );
    for (const n of [1, 2, 3, 4]) await letTheHourCome(`z${n}@zones.co.uk`);
    expect(await ended(id)).toMatchObject({ status: 'completed', sent: 5, pending: 0 });
    expect(app.peer.taken.map(({ to }) => to).sort()).toEqual(zones.map((_, n) => `z${n}@zones.co.uk`));
    // Now is now everywhere.
    const again = await call('POST', `/api/campaigns/${id}/duplicate`);
    await call('POST', `/api/campaigns/${again.id}/schedule`, both);
    expect(await call('POST', `/api/campaigns/${again.id}/send`)).toMatchObject({ byRecipientZone: false });
    expect(await ended(again.id)).toMatchObject({ status: 'completed', sent: 5 });
  });
});

/** A campaign to somebody who is in no other. */
async function toOnePerson(domain: string, more: object = {}): Promise<number> {
  await importCsv(app.test.app, app.owner.cookie, people(1, domain));
  const list = await call('POST', '/api/lists', { name: domain });
  await call('POST', `/api/lists/${list.id}/contacts`, { filter: { domain } });
  const audience = { include: [{ list: list.id }] };
  return (await call('POST', '/api/campaigns', { ...written, audience, ...more })).id;
}

describe('a campaign that has ended', () => {
  it('goes on when an uncertain message is sent again, and ends with new figures', async () => {
    app.peer.treat = (to) => (to.endsWith('@twice.co.uk') ? 'drop after' : 'take');
    const id = await toOnePerson('twice.co.uk');
    await call('POST', `/api/campaigns/${id}/send`);
    expect(await ended(id)).toMatchObject({ status: 'completed', uncertain: 1, sent: 0 });
    expect(await mailingOf(id)).toMatchObject({ books: { uncertain: 1, sent: 0 } });
    const { items } = await call('GET', `/api/campaigns/${id}/recipients`);
    app.peer.treat = () => 'take';
    const again = await call('POST', `/api/campaigns/${id}/recipients/${items[0].id}/send-again`);
    expect(again).toMatchObject({ status: 'sending' });
    await vi.waitFor(
      async () => expect(await mailingOf(id)).toMatchObject({ books: { uncertain: 0, sent: 1 } }),
      { timeout: 20_000, interval: 50 },
    );
    expect(await ended(id)).toMatchObject({ status: 'completed', uncertain: 0, sent: 1 });
  });

  it('is listed by the status that it says it has, as all others are', async () => {
    const [lost, held] = [await toOnePerson('lost.co.uk'), await toOnePerson('held.co.uk')];
    const later = await toOnePerson('tomorrow.co.uk');
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    await call('POST', `/api/campaigns/${later}/schedule`, { sendAt });
    for (const id of [lost, held]) {
      await call('POST', `/api/campaigns/${id}/send`);
      await ended(id);
    }
    const { system } = app.test.owner;
    await sql`
      update mailings set books = books || '{"sent": 0, "failed": 1}' where campaign_id = ${lost}`.execute(
      system,
    );
    await sql`
      update mailings set status = 'paused', ended_at = null, books = null where campaign_id = ${held}`.execute(
      system,
    );
    const found: number[] = [];
    for (const status of ['draft', 'scheduled', 'sending', 'paused', 'completed', 'cancelled', 'failed']) {
      const some = await listed(`?status=${status}`);
      for (const campaign of some) expect(campaign).toMatchObject({ status });
      found.push(...some.map(({ id }) => id));
    }
    expect(await listed('?status=failed')).toContainEqual(expect.objectContaining({ id: lost, failed: 1 }));
    expect(await listed('?status=paused')).toContainEqual(expect.objectContaining({ id: held, sent: 1 }));
    expect(found.sort()).toEqual((await listed('')).map(({ id }) => id).sort());
  });
});

const listed = (query: string): Promise<{ id: number; status: string }[]> =>
  call('GET', `/api/campaigns${query}`);

/** Once, and not when the minute is full. */
const sendDueNow = () =>
  sql`insert into pgboss.job (name) values ('campaigns.send-due')`.execute(app.test.owner.system);
