import type { TrackingContext } from '../context.ts';
import { deletePause, selectPause, upsertPause } from '../leaving/pause-queries.ts';
import type { Page } from '../pages/page.ts';
import { hasLeft, longDay, pauseMonths, preferences } from '../pages/texts.ts';
import type { StrangersCall } from './answer.ts';
import { formFields } from './form.ts';
import { answerVisitor, type Visitor } from './reader.ts';
import { leaveNow } from './unsubscribe.ts';

/** Shows what somebody gets. It changes nothing. */
export const showPreferences = (context: TrackingContext, call: StrangersCall) =>
  answerVisitor(context, 'preferences', call, async (visitor) =>
    visitor.standing.hasLeft
      ? hasLeft(visitor, false)
      : preferences(visitor, { pausedUntil: visitor.standing.pausedUntil }),
  );

/** Changes what somebody gets, by the button that was pressed. */
export const changePreferences = (context: TrackingContext, call: StrangersCall) =>
  answerVisitor(context, 'preferences', call, async (visitor) => {
    const fields = formFields(call.request);
    if (fields.get('do') === 'leave') return leaveNow(context, visitor);
    if (visitor.standing.hasLeft) return hasLeft(visitor, false);
    const months = pauseMonths.find((months) => fields.get('pause') === String(months));
    if (months !== undefined) return pauseNow(context, visitor, months);
    if (fields.get('do') === 'end-pause') return endPause(context, visitor);
    const { pausedUntil } = visitor.standing;
    return preferences(visitor, { pausedUntil, done: 'Nothing was changed.' });
  });

async function pauseNow({ db }: TrackingContext, visitor: Visitor, months: number): Promise<Page> {
  const { workspaceId, send } = visitor;
  const pausedUntil = await db.asTenant(workspaceId, async (tx) => {
    await upsertPause(tx, workspaceId, send, months);
    return selectPause(tx, workspaceId, send);
  });
  const done = pausedUntil && `You get no marketing emails until ${longDay(pausedUntil)}.`;
  return preferences(visitor, { pausedUntil, done });
}

async function endPause({ db }: TrackingContext, visitor: Visitor): Promise<Page> {
  const { workspaceId, send } = visitor;
  await db.asTenant(workspaceId, (tx) => deletePause(tx, workspaceId, send));
  return preferences(visitor, { pausedUntil: null, done: 'The break is over. You get emails again.' });
}
