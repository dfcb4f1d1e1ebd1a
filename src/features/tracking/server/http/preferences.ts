import type { TrackingContext } from '../context.ts';
import { changeBreak } from '../leaving/breaks.ts';
import type { Page } from '../pages/page.ts';
import { hasLeft, longDay, pauseMonths, preferences } from '../pages/texts.ts';
import { askNow } from './address.ts';
import type { StrangersCall } from './answer.ts';
import { formFields } from './form.ts';
import { answerVisitor, readTopics, type Visitor } from './reader.ts';
import { chooseTopics } from './topics.ts';
import { leaveNow } from './unsubscribe.ts';

/** Shows what somebody gets. It changes nothing. */
export const showPreferences = (context: TrackingContext, call: StrangersCall) =>
  answerVisitor(context, 'preferences', call, async (visitor) =>
    visitor.standing.hasLeft ? hasLeft(visitor, false) : shown(context, visitor, null),
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
    if (fields.get('do') === 'address')
      return shown(context, visitor, await askNow(context, visitor, fields.get('email') ?? ''));
    if (fields.get('do') === 'topics') return chooseTopics(context, visitor, fields);
    return shown(context, visitor, 'Nothing was changed.');
  });

async function shown(
  context: TrackingContext,
  visitor: Visitor,
  done: string | null,
  pausedUntil = visitor.standing.pausedUntil,
): Promise<Page> {
  return preferences(visitor, { pausedUntil, topics: await readTopics(context, visitor), done });
}

async function pauseNow(context: TrackingContext, visitor: Visitor, months: number): Promise<Page> {
  const { workspaceId, send, sent: sentTo } = visitor;
  const pausedUntil = await context.turns.take(workspaceId, () =>
    changeBreak(context, workspaceId, { ...send, sentTo }, months),
  );
  const done = pausedUntil && `You get no marketing emails until ${longDay(pausedUntil)}.`;
  return shown(context, visitor, done, pausedUntil);
}

async function endPause(context: TrackingContext, visitor: Visitor): Promise<Page> {
  const { workspaceId, send, sent: sentTo } = visitor;
  await context.turns.take(workspaceId, () => changeBreak(context, workspaceId, { ...send, sentTo }, null));
  return shown(context, visitor, 'The break is over. You get emails again.', null);
}
