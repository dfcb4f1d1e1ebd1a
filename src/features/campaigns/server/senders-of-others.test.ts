import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OwnTransports } from '#features/smtp-servers/server/own-transports.ts';
import { openSendingApp, plainCampaign } from '#test/support/sending-app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { openSmtpPeer, type SmtpPeer } from '#test/support/smtp-peer.ts';

// Workspaces share the installation's mail server. None writes as a domain that another has proved.

const app = openSendingApp({
  people: 1,
  anew: 'owner',
  environment: { ALLOW_PRIVATE_SMTP: 'on', MAIL_FROM: 'no-reply@house.co.uk' },
});
const { call, stands } = app;

let other: SignedIn;
let domains = 0;
let domain: string;
const boss = () => `boss@${domain}`;

beforeEach(async () => {
  other = await signUp(app.test.app);
  domain = `a${++domains}.co.uk`;
  // Tests of campaigns go to confirmed addresses alone.
  await sql`update users set email_verified = true`.execute(app.test.owner.system);
});

/** Adds a sender domain, the record of whose key has been seen. */
async function prove(who: SignedIn, name = domain): Promise<void> {
  const { id } = await call('POST', '/api/sender-domains', { domain: name }, who);
  await sql`
    update sender_keys set seen_at = now() where workspace_id = ${who.workspaceId} and domain_id = ${id}`.execute(
    app.test.owner.system,
  );
}
async function draft(written: object): Promise<string> {
  const { id } = await call('POST', '/api/campaigns', { ...plainCampaign, fromName: 'Ann', ...written });
  return `/api/campaigns/${id}`;
}
const senderLine = async (path: string) =>
  (await call('GET', `${path}/check`)).checks.find(({ key }: { key: string }) => key === 'sender');
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();
/** What has left. The product's own mail to people who sign up comes from elsewhere. */
const leftFromThere = () => app.peer.taken.filter((mail) => JSON.stringify(mail).includes(domain));
const refusal = 'somebody else here has proved that its domain is theirs';

describe('a domain that another workspace has proved', () => {
  it.each([
    ['there', (name: string) => `boss@${name}`],
    ['below it', (name: string) => `boss@news.${name.toUpperCase()}`],
  ])('sends no campaign, and no test of one, from %s', async (_what, addressAt) => {
    await prove(other);
    const path = await draft({ fromAddress: addressAt(domain) });
    expect(await senderLine(path)).toMatchObject({
      result: 'block',
      words: expect.stringContaining(refusal),
    });
    expect(await call('GET', `${path}/check`)).toMatchObject({ canSend: false });
    const refused = { httpStatus: 409, message: expect.stringContaining(refusal) };
    expect(await call('POST', `${path}/send`)).toMatchObject(refused);
    expect(await call('POST', `${path}/schedule`, { sendAt: tomorrow() })).toMatchObject(refused);
    expect(await call('POST', `${path}/test`, {})).toMatchObject(refused);
    // Nothing says which workspace it is.
    expect(JSON.stringify(await senderLine(path))).not.toContain(other.email);
    expect(leftFromThere()).toEqual([]);
  });

  it('sends no variant of a test', async () => {
    await prove(other);
    const abTest = { differs: 'sender', variants: [{ fromAddress: boss() }] };
    const path = await draft({ fromAddress: 'ann@own.co.uk', abTest });
    expect(await call('POST', `${path}/send`)).toMatchObject({
      httpStatus: 409,
      message: expect.stringContaining(refusal),
    });
  });

  it('sends nothing that was scheduled before it was proved', async () => {
    const path = await draft({ fromAddress: boss() });
    expect(await call('POST', `${path}/schedule`, { sendAt: tomorrow() })).toMatchObject({ httpStatus: 200 });
    await prove(other);
    const { system } = app.test.owner;
    await sql`update campaigns set send_at = now() where workspace_id = ${app.owner.workspaceId}`.execute(
      system,
    );
    await sql`insert into pgboss.job (name) values ('campaigns.send-due')`.execute(system);
    const stood = { status: 'scheduled', notice: expect.stringContaining(refusal) };
    await vi.waitFor(async () => expect(await call('GET', path)).toMatchObject(stood), 15_000);
  });

  it('pauses what is under way when it is proved', async () => {
    app.peer.treat = () => 'later';
    const id = await app.send({ fromAddress: boss() });
    await vi.waitFor(async () => expect(app.peer.asked).toBe(1), 15_000);
    await stands(id, { status: 'sending', pending: 1 });
    await prove(other);
    app.peer.treat = () => 'take';
    await app.letTheTimeCome();
    await stands(id, { status: 'paused', sent: 0, notice: expect.stringContaining(refusal) });
    expect(leftFromThere()).toEqual([]);
  });

  describe('by a mail server of their own that is a moment old', () => {
    let own: SmtpPeer;
    beforeEach(async () => {
      own = await openSmtpPeer();
      await prove(other);
      // The process has just read that there is none.
      await stands(await app.send({ fromAddress: 'ann@own.co.uk' }), { status: 'completed', sent: 1 });
      await call('POST', '/api/smtp-servers', {
        name: 'Own',
        host: '127.0.0.1',
        port: own.port,
        tls: 'none',
      });
    });
    afterEach(() => own.close());

    it('is sent from there', async () => {
      await stands(await app.send({ fromAddress: boss() }), { status: 'completed', sent: 1 });
      expect(own.taken).toHaveLength(1);
      expect(leftFromThere()).toEqual([]);
    });

    it('is not sent by the server that all share while nobody knows of it', async () => {
      const unread = vi.spyOn(OwnTransports.prototype, 'of').mockResolvedValue(null);
      try {
        const stopped = { status: 'paused', sent: 0, notice: expect.stringContaining(refusal) };
        await stands(await app.send({ fromAddress: boss() }), stopped);
      } finally {
        unread.mockRestore();
      }
      expect(leftFromThere()).toEqual([]);
    });
  });

  it('sends for whoever has proved it too, or has a mail server of their own', async () => {
    await prove(other);
    const path = await draft({ fromAddress: boss() });
    const server = await call('POST', '/api/smtp-servers', {
      ...{ name: 'Own', host: '127.0.0.1', port: Number(new URL(app.peer.url).port), tls: 'none' },
    });
    expect(await senderLine(path)).toMatchObject({ result: 'pass' });
    await call('DELETE', `/api/smtp-servers/${server.id}`);
    expect(await senderLine(path)).toMatchObject({ result: 'block' });
    await prove(app.owner);
    expect(await senderLine(path)).toMatchObject({ result: 'pass' });
    await stands(await app.send({ fromAddress: boss() }), { status: 'completed', sent: 1 });
  });
});

it('a domain that others have added and not proved sends as before', async () => {
  await call('POST', '/api/sender-domains', { domain }, other);
  await stands(await app.send({ fromAddress: boss() }), { status: 'completed', sent: 1 });
});

it('the address of the installation sends for everybody, whoever has proved its domain', async () => {
  await prove(other, 'house.co.uk');
  expect(await senderLine(await draft({}))).toMatchObject({ result: 'pass' });
});
