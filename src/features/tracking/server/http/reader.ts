import type { FastifyReply } from 'fastify';
import type { ReferenceUse } from '#features/messages/server/index.ts';
import { triedSend } from '../../rules/tried-send.ts';
import { selectContactOf } from '../address/request-queries.ts';
import type { TrackingContext } from '../context.ts';
import { meetReader, type Standing } from '../leaving/wishes.ts';
import { readBusiness } from '../pages/business.ts';
import type { Page } from '../pages/page.ts';
import { type Reader, unknownLink, wasTest, worksHere } from '../pages/texts.ts';
import type { SendKey, TrackedSend } from '../sends-port.ts';
import type { Topic } from '../topics-port.ts';
import { type StrangersCall, sendPage } from './answer.ts';

/** Who has followed a link, and where they stand. */
export interface Visitor extends Reader {
  workspaceId: number;
  /** With the contact that its reader is by now. */
  send: TrackedSend;
  /** The contact that the message went to, null for nobody who was one, and its address then. */
  sent: Pick<TrackedSend, 'contactId' | 'local' | 'domain'>;
  /** Whether the message went to somebody who is a contact still. */
  isContact: boolean;
  standing: Standing;
  /**
   * Where the page is on which they choose. Without a host: they stay on the one that they came by,
   * which may be the sender's own.
   */
  preferences: string;
}

/** Answers whoever has followed a link with a page of their own. */
export async function answerVisitor(
  context: TrackingContext,
  use: ReferenceUse,
  { params, request, reply }: StrangersCall,
  answer: (visitor: Visitor) => Promise<Page>,
): Promise<FastifyReply> {
  const { guard } = context;
  const reference = guard.read(use, params.reference, request);
  if (!reference) return sendPage(reply, unknownLink());
  if (reference.mailingId === triedSend.mailingId) return sendPage(reply, worksHere());
  guard.visit(params.reference);
  const visitor = await readVisitor(context, reference.workspaceId, reference);
  if (!visitor) return sendPage(reply, unknownLink());
  const isTried = visitor.send.isTest && request.method === 'POST';
  return sendPage(reply, isTried ? wasTest(visitor) : await answer(visitor));
}

/** Null when the send is not there any more. */
function readVisitor(
  { db, site, sends }: TrackingContext,
  workspaceId: number,
  { mailingId, sendId }: SendKey,
): Promise<Visitor | null> {
  const { keys } = site;
  return db.asTenant(workspaceId, async (tx) => {
    const [sent] = (await sends()?.find(tx, workspaceId, [{ mailingId, sendId }])) ?? [];
    if (!sent) return null;
    // The address may have been corrected since. What the reader wants holds for the one they have.
    const contact = await selectContactOf(tx, workspaceId, sent);
    const own = contact ? { ...sent, local: contact.local, domain: contact.domain } : sent;
    const { send, standing } = await meetReader(tx, workspaceId, own, sent);
    return {
      workspaceId,
      send,
      sent,
      isContact: contact !== undefined || send !== own,
      business: await readBusiness(tx, workspaceId),
      address: `${send.local}@${send.domain}`,
      standing,
      preferences: `/p/${keys.references.url('preferences', { workspaceId, mailingId, sendId, part: 0 })}`,
    };
  });
}

/** The topics that a visitor can choose from. */
export const readTopics = (
  { db, topics }: TrackingContext,
  { workspaceId, send }: Visitor,
): Promise<Topic[]> =>
  db.asTenant(workspaceId, async (tx) => (await topics()?.of(tx, workspaceId, send)) ?? []);
