import type { FastifyReply } from 'fastify';
import type { SendReference } from '#features/messages/server/index.ts';
import { AppError } from '#platform/shared/errors.ts';
import { askForAddress, confirmAddress, openRequest } from '../address/change-address.ts';
import type { AddressRequest } from '../address/request-queries.ts';
import type { TrackingContext } from '../context.ts';
import { askedSaid, askToConfirm, isChanged, notOpenAnyMore } from '../pages/address-texts.ts';
import { readBusiness } from '../pages/business.ts';
import type { Page } from '../pages/page.ts';
import { unknownLink } from '../pages/texts.ts';
import { type StrangersCall, sendPage } from './answer.ts';
import type { Visitor } from './reader.ts';

/** What the preference page says after a reader has typed another address. */
export async function askNow(context: TrackingContext, visitor: Visitor, typed: string): Promise<string> {
  const { workspaceId, send, business } = visitor;
  const asked = await askForAddress(context, workspaceId, send, { typed, business });
  if (asked === 'sent') return askedSaid(typed.trim());
  return {
    no_address: 'This is no email address. Nothing was changed.',
    same: 'Your emails go there already. Nothing was changed.',
    too_many: 'You have asked for this three times today. Try again tomorrow.',
  }[asked];
}

/** Shows the page with the button. It changes nothing: scanners open every link of a mail. */
export const showAddressChange = (context: TrackingContext, call: StrangersCall) =>
  answerOwner(context, call, ({ workspaceId, part }) =>
    context.db.asTenant(workspaceId, (tx) => openRequest(tx, workspaceId, part)),
  );

/** Changes the address. */
export const confirmAddressChange = (context: TrackingContext, call: StrangersCall) =>
  answerOwner(context, call, ({ workspaceId, part }) =>
    context.turns.take(workspaceId, () =>
      context.db.asTenant(workspaceId, (tx) => {
        const changes = context.addressChanges();
        if (!changes) throw new AppError('internal', 'This product corrects no addresses.');
        return confirmAddress(tx, { ...context, changes }, workspaceId, part);
      }),
    ),
  );

async function answerOwner(
  { db, guard }: TrackingContext,
  { params, request, reply }: StrangersCall,
  find: (reference: SendReference) => Promise<AddressRequest | null>,
): Promise<FastifyReply> {
  const reference = guard.read('address', params.reference, request);
  if (!reference) return sendPage(reply, unknownLink());
  guard.visit(params.reference);
  const found = await find(reference);
  const { workspaceId } = reference;
  const business = await db.asTenant(workspaceId, (tx) => readBusiness(tx, workspaceId));
  const page = (): Page => {
    if (!found) return notOpenAnyMore(business);
    const [from, to] = [`${found.oldLocal}@${found.oldDomain}`, `${found.local}@${found.domain}`];
    const isDone = request.method === 'POST' || found.doneAt !== null;
    return isDone ? isChanged(business, from, to) : askToConfirm(business, from, to);
  };
  return sendPage(reply, page());
}
