import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { DiskSpace } from '#platform/server/disk/disk-space.ts';
import { migrateJobs } from '#platform/server/jobs.ts';
import { importCsv, openTestApp, type TestApp } from './app.ts';
import { type SignedIn, signUp } from './sign-in.ts';
import { openSmtpPeer, type SmtpPeer } from './smtp-peer.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The product at work, with a mail server and somebody who sends campaigns. */
export interface SendingApp {
  test: TestApp;
  /** The mail server of the installation. A test may put another in its place. */
  peer: SmtpPeer;
  /** Who calls. */
  owner: SignedIn;
  /** Makes a call as the owner. What is answered is an object with its `httpStatus`, or a list. */
  // biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
  call(method: Method, url: string, payload?: object, who?: SignedIn): Promise<any>;
  /** Imports so many people of a domain: `p0@shop.co.uk` and so on. */
  bring(count: number, domain?: string, who?: SignedIn): Promise<void>;
  /** Makes a campaign and sends it to everybody, unless `written` says otherwise. */
  send(written?: object, who?: SignedIn): Promise<number>;
  /** Waits until a campaign stands like this. */
  stands(id: number, expected: object, who?: SignedIn): Promise<void>;
  /** Lets what waits for another try be tried now. */
  letTheTimeCome(): Promise<void>;
}

interface Options {
  /** People of shop.co.uk that the workspace begins with. */
  people?: number;
  /**
   * What each test gets for itself: an owner with people, and a mail server that takes everything;
   * or a whole product. Absent: the tests of a file share all of it.
   */
  anew?: 'owner' | 'product';
  environment?: Record<string, string> | (() => Promise<Record<string, string>>);
  /** False: what is sent goes to the outbox. */
  hasMailServer?: boolean;
  disk?: DiskSpace;
}

const waiting = { timeout: 20_000, interval: 50 };
export const plainCampaign = { name: 'News', subject: 'News', content: 'Dear you', template: 'simple' };

/** Opens it for the tests of a file. */
export function openSendingApp({
  people = 0,
  anew,
  environment,
  hasMailServer = true,
  disk,
}: Options = {}): SendingApp {
  const opened: SendingApp = {
    ...({} as Pick<SendingApp, 'test' | 'peer' | 'owner'>),
    async call(method, url, payload, { cookie } = opened.owner) {
      const given = payload ? { payload } : {};
      const answer = await opened.test.app.inject({ method, url, headers: { cookie }, ...given });
      const body = answer.json();
      return Array.isArray(body) ? body : { httpStatus: answer.statusCode, ...body };
    },
    async bring(count, domain = 'shop.co.uk', { cookie } = opened.owner) {
      const lines = Array.from({ length: count }, (_, n) => `p${n}@${domain}`);
      await importCsv(opened.test.app, cookie, `email\n${lines.join('\n')}\n`);
    },
    async send(written = {}, who = opened.owner) {
      const { id } = await opened.call('POST', '/api/campaigns', { ...plainCampaign, ...written }, who);
      await opened.call('POST', `/api/campaigns/${id}/send`, undefined, who);
      return id;
    },
    async stands(id, expected, who = opened.owner) {
      await vi.waitFor(
        async () =>
          expect(await opened.call('GET', `/api/campaigns/${id}`, undefined, who)).toMatchObject(expected),
        waiting,
      );
    },
    async letTheTimeCome() {
      const { system } = opened.test.owner;
      await sql`update sends set due_at = now() where state = 'deferred'`.execute(system);
      await sql`update send_parts set lease_until = null where status = 'open' and lease is null`.execute(
        system,
      );
      await sql`update mailings set wait_until = null`.execute(system);
    },
  };
  const open = async () => {
    opened.peer = await openSmtpPeer();
    const own = typeof environment === 'function' ? await environment() : environment;
    opened.test = await openTestApp(
      { ...(hasMailServer ? { SMTP_URL: opened.peer.url } : {}), ...own },
      { disk },
    );
    await migrateJobs(opened.test.ownerUrl);
    await opened.test.startWork();
  };
  const begin = async () => {
    const { peer } = opened;
    Object.assign(peer, { treat: () => 'take', delayMs: 0 });
    opened.owner = await signUp(opened.test.app);
    // The product's own mail to the owner comes first.
    const isGreeted = () => peer.taken.some(({ to }) => to === opened.owner.email);
    if (hasMailServer) await vi.waitFor(() => expect(isGreeted()).toBe(true), waiting);
    Object.assign(peer, { taken: [], asked: 0 });
    if (people > 0) await opened.bring(people);
  };
  const close = async () => {
    await opened.test.close();
    await opened.peer.close();
  };
  (anew === 'product' ? beforeEach : beforeAll)(open);
  (anew === undefined ? beforeAll : beforeEach)(begin);
  (anew === 'product' ? afterEach : afterAll)(close);
  return opened;
}
