import { sql } from 'kysely';
import { features } from '#apps/features.ts';
import { bouncedMailingsPort } from '#features/bounces/server/index.ts';
import { countedLinks, createLinkKeys, messageLinks } from '#features/links/server/index.ts';
import { bouncedMailings } from '#features/sending/server/bounced-mailings.ts';
import { compileTemplate } from '#features/templates/rules/compile.ts';
import {
  storeLinks,
  type TrackedSend,
  type TrackedSends,
  trackedSendsPort,
} from '#features/tracking/server/index.ts';
import type { ServerFeature } from '#platform/server/feature.ts';
import { openTestApp, type TestApp } from './app.ts';
import { type SignedIn, signUp } from './sign-in.ts';

// Mailings without the feature that sends them: what tracking knows of sends is played.

interface PlayedSend extends TrackedSend {
  workspaceId: number;
  contactId: number;
}

export interface Tracked {
  test: TestApp;
  owner: SignedIn;
  sends: PlayedSend[];
  played: TrackedSends;
  /** Registers a mailing with this HTML and text, and answers how its links are written. */
  mailing(mailing: { html: string; text?: string; who?: SignedIn }): Promise<Mailing>;
  /** A contact, and a send of a mailing to it. */
  send(mailing: Mailing, email?: string, change?: Partial<PlayedSend>): Promise<PlayedSend>;
}

export interface Mailing {
  id: number;
  who: SignedIn;
  linksOf: ReturnType<typeof messageLinks>;
}

/** The message of a played send, in a browser. */
export const playedPage = '<p>Dear Jo</p><script>document.title = "run"</script>';

export const secretKey = 'a secret of at least thirty-two characters';

const senders = ['sending', 'campaigns', 'transactional'];
const withoutSending = features.filter(({ name }) => !senders.includes(name));

export async function openTracked(env: Record<string, string> = {}): Promise<Tracked> {
  const sends: PlayedSend[] = [];
  const played: TrackedSends = {
    all: sql`select workspace_id, mailing_id, id as send_id, contact_id, handed_at from sends`,
    find: async (_tx, workspaceId, wanted) =>
      sends.filter(
        (send) =>
          send.workspaceId === workspaceId &&
          wanted.some(({ mailingId, sendId }) => send.mailingId === mailingId && send.sendId === sendId),
      ),
    page: async (tx, workspaceId, send) =>
      (await played.find(tx, workspaceId, [send])).length > 0 ? playedPage : null,
  };
  const sending: ServerFeature = {
    name: 'played-sending',
    // Tracking tells events to keys that may read campaigns.
    words: { scopes: { 'campaigns:read': { order: 1, words: 'Read campaigns' } } },
    create({ offer }) {
      offer(trackedSendsPort, played);
      offer(bouncedMailingsPort, bouncedMailings);
      return {};
    },
  };
  const test = await openTestApp(
    { SECRET_KEY: secretKey, ...env },
    { features: [...withoutSending, sending] },
  );
  const owner = await signUp(test.app);
  let mailings = 0;
  let people = 0;
  return {
    test,
    owner,
    sends,
    played,
    async mailing({ html, text = '', who = owner }) {
      mailings += 1;
      const id = mailings;
      const { links } = compileTemplate({ subject: 'News', preheader: '', html, text });
      const { workspaceId } = who;
      await test.database.asTenant(workspaceId, (tx) => storeLinks(tx, workspaceId, id, links));
      const site = { publicUrl: 'http://localhost:3000', keys: createLinkKeys([secretKey]) };
      return {
        id,
        who,
        linksOf: messageLinks(site, { workspaceId, mailingId: id, links: countedLinks(links) }),
      };
    },
    async send(mailing, email = `reader-${++people}@acme.co.uk`, change = {}) {
      const { workspaceId, cookie } = mailing.who;
      const added = await test.app.inject({
        method: 'POST',
        url: '/api/emails',
        headers: { cookie },
        payload: { email },
      });
      const contactId: number = added.json().id;
      const { rows } = await test.database.asTenant(workspaceId, (tx) =>
        sql<{ local: string; domain: string }>`
          select local, domain from contacts where workspace_id = ${workspaceId} and id = ${contactId}`.execute(
          tx,
        ),
      );
      const send: PlayedSend = {
        ...(rows[0] as { local: string; domain: string }),
        ...{ workspaceId, mailingId: mailing.id, sendId: contactId, contactId },
        handedAt: new Date(Date.now() - 3_600_000),
        mailing: 'Spring news',
        isTest: false,
        ...change,
      };
      sends.push(send);
      await sql`
        insert into sends (workspace_id, mailing_id, id, contact_id, local, domain, state, handed_at)
        values (${send.workspaceId}, ${send.mailingId}, ${send.sendId}, ${contactId}, ${send.local}, ${send.domain},
          'sent', ${send.handedAt})`.execute(test.owner.system);
      return send;
    },
  };
}
