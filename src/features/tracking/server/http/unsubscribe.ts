import type { TrackingContext } from '../context.ts';
import { comeBack } from '../leaving/wishes.ts';
import type { Page } from '../pages/page.ts';
import { askToLeave, hasLeft, isBack } from '../pages/texts.ts';
import type { StrangersCall } from './answer.ts';
import { formFields } from './form.ts';
import { answerVisitor, type Visitor } from './reader.ts';

/** Shows the page with the button. It changes nothing: scanners open every link of a mail. */
export const showUnsubscribe = (context: TrackingContext, call: StrangersCall) =>
  answerVisitor(context, 'unsubscribe', call, async (visitor) =>
    visitor.standing.hasLeft
      ? hasLeft(visitor, visitor.standing.canComeBack)
      : askToLeave(visitor, visitor.preferences),
  );

/**
 * Unsubscribes at once: from the page's button, or from a mail provider's own (RFC 8058), whatever
 * it sends along.
 */
export const unsubscribe = (context: TrackingContext, call: StrangersCall) =>
  answerVisitor(context, 'unsubscribe', call, (visitor) =>
    formFields(call.request).get('do') === 'come-back'
      ? comeBackNow(context, visitor)
      : leaveNow(context, visitor),
  );

/** Puts the visitor on the suppression list; see `WishBook`. */
export async function leaveNow(context: TrackingContext, visitor: Visitor): Promise<Page> {
  const { workspaceId, send, sent, standing } = visitor;
  if (standing.isOwnWish) return hasLeft(visitor, standing.canComeBack);
  await context.wishes.leave(workspaceId, { ...send, contactId: sent.contactId, sentTo: sent });
  return hasLeft(visitor, !standing.hasLeft);
}

async function comeBackNow({ db, turns }: TrackingContext, visitor: Visitor): Promise<Page> {
  const { workspaceId, send, sent, standing } = visitor;
  const reader = { ...send, contactId: sent.contactId, sentTo: sent };
  const isDone = await turns.take(workspaceId, () =>
    db.asTenant(workspaceId, (tx) => comeBack(tx, workspaceId, reader)),
  );
  if (!isDone && standing.hasLeft) return hasLeft(visitor, false);
  return isBack(visitor, visitor.preferences, standing.pausedUntil);
}
