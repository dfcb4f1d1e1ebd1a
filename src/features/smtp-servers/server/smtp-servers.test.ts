import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { migrateJobs } from '#platform/server/jobs.ts';
import { createLogger } from '#platform/server/logging.ts';
import { createSealer } from '#platform/server/sealed.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';
import { openSmtpPeer, type SmtpPeer } from '#test/support/smtp-peer.ts';
import { openTlsPeer, trustAlso } from '#test/support/tls-peer.ts';
import { OwnTransports } from './own-transports.ts';

let test: TestApp;
let owner: SignedIn;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(method: Method, url: string, payload?: object, who = owner): Promise<any> {
  const headers = { cookie: who.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { httpStatus: answer.statusCode, ...answer.json() };
}
const path = '/api/smtp-servers';
const given = { name: 'Relay', host: 'smtp.invalid', port: 587, tls: 'starttls' };
const secret = 'correct horse battery';

describe('the SMTP servers of a workspace', () => {
  beforeAll(async () => {
    test = await openTestApp();
  });
  beforeEach(async () => {
    owner = await signUp(test.app);
  });
  afterAll(() => test?.close());

  it('are kept without ever giving their passwords back', async () => {
    const added = await call('POST', path, { ...given, username: 'anna', password: secret });
    const shown = { ...given, username: 'anna', hasPassword: true, weight: 1, isActive: true };
    expect(added).toMatchObject({ httpStatus: 201, ...shown, isFallback: false, lastTest: null });
    expect(JSON.stringify([added, await call('GET', path)])).not.toContain(secret);
    const { rows } = await sql<{ password: string }>`
      select password from smtp_servers where workspace_id = ${owner.workspaceId}`.execute(test.owner.system);
    expect(rows[0]?.password).toMatch(/^v1\./);
    const changed = await call('PATCH', `${path}/${added.id}`, { weight: 5, isFallback: true });
    expect(changed).toMatchObject({ httpStatus: 200, hasPassword: true, weight: 5, isFallback: true });
    expect(await call('DELETE', `${path}/${added.id}`)).toMatchObject({ deleted: 1 });
    expect((await call('DELETE', `${path}/${added.id}`)).httpStatus).toBe(404);
    const audit = JSON.stringify(await call('GET', '/api/audit?limit=5'));
    for (const verb of ['added', 'changed', 'removed']) expect(audit).toContain(`smtp_server.${verb}`);
    expect(audit).not.toContain(secret);
  });

  it('are known to the outbox and to the records of sender domains while they are on', async () => {
    const seen = async () => {
      const { items } = await call('GET', '/api/sender-domains');
      const spf = items[0].records.find((one: { purpose: string }) => one.purpose === 'spf').value;
      return [(await call('GET', '/api/outbox/messages')).hasMailServer, spf];
    };
    await call('POST', '/api/sender-domains', { domain: 'acme.co.uk' });
    expect(await seen()).toEqual([false, 'v=spf1 mx ~all']);
    const { id } = await call('POST', path, { ...given, host: 'smtp-relay.brevo.com' });
    await call('POST', path, { ...given, name: 'Second', host: 'mail.acme.co.uk' });
    expect(await seen()).toEqual([true, 'v=spf1 a:mail.acme.co.uk include:spf.brevo.com ~all']);
    await call('PATCH', `${path}/${id}`, { isActive: false });
    expect(await seen()).toEqual([true, 'v=spf1 a:mail.acme.co.uk ~all']);
  });

  it.each([[{ host: 'other.invalid' }], [{ username: 'berta' }], [{ tls: 'none' }]])(
    'do not show a password to another host, for another user or in the open: %j',
    async (change) => {
      const { id } = await call('POST', path, { ...given, username: 'anna', password: secret });
      const refused = await call('PATCH', `${path}/${id}`, change);
      expect(refused).toMatchObject({ httpStatus: 400, fields: { password: expect.any(String) } });
      expect((await call('PATCH', `${path}/${id}`, { ...change, password: 'new' })).httpStatus).toBe(200);
    },
  );

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    'localhost',
    '10.0.0.7',
    '172.16.3.4',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '224.0.0.1',
    '0.0.0.0',
    '::1',
    '::ffff:10.0.0.1',
    'fe80::1',
    'fd00::1',
  ])('are not on a network of their own: %s', async (host) => {
    const refused = { httpStatus: 400, fields: { host: expect.stringContaining('public internet') } };
    expect(await call('POST', path, { ...given, host })).toMatchObject(refused);
    expect(await call('POST', `${path}/test`, { ...given, name: undefined, host })).toMatchObject(refused);
  });

  it('are looked up at each connection, whatever they were when they were written', async () => {
    const { id } = await call('POST', path, given);
    await sql`update smtp_servers set host = '127.0.0.1' where id = ${id}`.execute(test.owner.system);
    expect(await call('POST', `${path}/${id}/test`, {})).toMatchObject({
      ...{ httpStatus: 200, ok: false, answer: expect.stringContaining('not on the public internet') },
    });
  });

  it('are for admins of their own workspace', async () => {
    const { id } = await call('POST', path, given);
    const role = 'sender' as const;
    const other = await signUpMember(test.app, test.owner, { workspaceId: owner.workspaceId, role });
    expect((await call('GET', path, undefined, other)).httpStatus).toBe(403);
    const stranger = await signUp(test.app);
    expect((await call('GET', path, undefined, stranger)).items).toEqual([]);
    expect((await call('PATCH', `${path}/${id}`, { weight: 2 }, stranger)).httpStatus).toBe(404);
    expect((await call('POST', `${path}/${id}/test`, {}, stranger)).httpStatus).toBe(404);
    expect((await call('POST', `${path}/test`, { ...given, name: undefined, id }, stranger)).httpStatus).toBe(
      404,
    );
    expect((await call('DELETE', `${path}/${id}`, undefined, stranger)).httpStatus).toBe(404);
  });
});

describe('messages leave', () => {
  let peers: SmtpPeer[];
  const [installation, first, second, fallback] = [0, 1, 2, 3].map(
    (place) => () => peers[place] as SmtpPeer,
  ) as [() => SmtpPeer, () => SmtpPeer, () => SmtpPeer, () => SmtpPeer];
  const people = 80;

  beforeAll(async () => {
    peers = await Promise.all(Array.from({ length: 4 }, () => openSmtpPeer()));
    test = await openTestApp({ SMTP_URL: installation().url, ALLOW_PRIVATE_SMTP: 'on' });
    await migrateJobs(test.ownerUrl);
    await test.startWork();
  });
  beforeEach(async () => {
    owner = await signUp(test.app);
    const lines = Array.from({ length: people }, (_, n) => `p${n}@shop.co.uk`);
    await importCsv(test.app, owner.cookie, `email\n${lines.join('\n')}\n`);
    for (const peer of peers) Object.assign(peer, { taken: [], refusesSignIn: false });
  });
  afterAll(async () => {
    await test.close();
    for (const peer of peers) await peer.close();
  });

  const add = (peer: SmtpPeer, more: object = {}) =>
    call('POST', path, {
      ...{ name: `Peer ${peer.port}`, host: '127.0.0.1', port: peer.port, tls: 'none' },
      ...more,
    });
  async function send(): Promise<number> {
    const written = { name: 'News', subject: 'News', content: 'Dear you', template: 'simple' };
    const { id } = await call('POST', '/api/campaigns', written);
    await call('POST', `/api/campaigns/${id}/send`);
    return id;
  }
  const until = (id: number, shown: object) =>
    vi.waitFor(async () => expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject(shown), {
      ...{ timeout: 30_000, interval: 100 },
    });
  const counts = () => peers.map(({ taken }) => taken.length);

  it('through the installation without a server of one’s own that is on', async () => {
    await add(first(), { isActive: false });
    await until(await send(), { status: 'completed', sent: people });
    expect(counts()).toEqual([people, 0, 0, 0]);
  });

  it('by weight, and not through the fallback', async () => {
    await add(first(), { weight: 9 });
    await add(second(), { weight: 1 });
    await add(fallback(), { isFallback: true });
    await until(await send(), { status: 'completed', sent: people });
    const [none, many, few, last] = counts() as [number, number, number, number];
    expect([none, last, many + few]).toEqual([0, 0, people]);
    expect(many).toBeGreaterThan(few);
  });

  it('encrypted through a server whose certificate is trusted, and not at all before', async () => {
    const peer = await openTlsPeer('starttls');
    await add(first(), {
      ...{ host: 'localhost', port: peer.port, tls: 'starttls', username: 'anna', password: 'right' },
    });
    const id = await send();
    await until(id, { status: 'paused', notice: expect.stringContaining('self-signed certificate') });
    const distrust = trustAlso(peer.certificate);
    await call('POST', `/api/campaigns/${id}/resume`);
    await until(id, { status: 'completed', sent: people });
    expect(peer.taken).toHaveLength(people);
    distrust();
    await peer.close();
  });

  it('through the fallback when the others cannot be used, and says why', async () => {
    await add(first(), { username: 'anna', password: 'old' });
    const gone = await openSmtpPeer();
    await add(gone);
    await gone.close();
    await add(fallback(), { isFallback: true });
    first().refusesSignIn = true;
    await until(await send(), { status: 'completed', sent: people });
    expect(counts()).toEqual([0, 0, 0, people]);
    const { items } = await call('GET', path);
    const troubles = items.flatMap(
      ({ trouble }: { trouble: { words: string } | null }) => trouble?.words ?? [],
    );
    expect(troubles.join(' ')).toMatch(/refused the sign-in: 535 5.7.8 The password has expired/);
    expect(troubles.join(' ')).toMatch(/cannot be reached/);
  });

  it('through a server that another process has passed over, and that is not said of it any more', async () => {
    const peer = await openSmtpPeer();
    await add(peer);
    const context = {
      ...{ db: test.database, log: createLogger('silent'), sealer: createSealer('of no password') },
      config: { allowPrivateSmtp: true, mailFrom: 'post@example.org' },
    };
    const [gone, stays] = [new OwnTransports(context), new OwnTransports(context)];
    const guest = { workspaceId: owner.workspaceId, mailingId: 1, goesFirst: false };
    const takeSlot = async (own: OwnTransports) => {
      const slot = await (await own.of(owner.workspaceId))?.slot(guest);
      if (slot && 'free' in slot) slot.free();
    };
    const trouble = async () => (await call('GET', path)).items[0].trouble;
    await takeSlot(stays);
    await peer.close();
    await expect(takeSlot(gone)).rejects.toThrow('cannot be reached');
    await vi.waitFor(async () => expect(await trouble()).not.toBeNull(), 10_000);
    await gone.close();
    const again = await openSmtpPeer(peer.port);
    await vi.waitFor(
      async () => {
        await takeSlot(stays);
        expect(await trouble()).toBeNull();
      },
      { timeout: 20_000, interval: 300 },
    );
    await stays.close();
    await again.close();
  });

  it('not at all while a password has expired, and go on with the new one', async () => {
    const { id: server } = await add(first(), { username: 'anna', password: 'old' });
    first().refusesSignIn = true;
    const tested = await call('POST', `${path}/${server}/test`, {});
    expect(tested).toMatchObject({ ok: false, answer: expect.stringContaining('The password has expired') });
    const id = await send();
    await until(id, { status: 'paused', notice: expect.stringContaining('The password has expired') });
    expect(counts()).toEqual([0, 0, 0, 0]);
    first().refusesSignIn = false;
    await call('PATCH', `${path}/${server}`, { password: 'new' });
    await vi.waitFor(async () => {
      const tried = await call('POST', `${path}/${server}/test`, { sendMessage: true });
      expect(tried).toMatchObject({ ok: true, answer: expect.stringContaining('took the sign-in of anna') });
    });
    const own = first().taken.length;
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    await call('POST', `/api/campaigns/${id}/resume`);
    await until(id, { status: 'completed', sent: people });
    expect(counts()).toEqual([0, people + own, 0, 0]);
  });
});
