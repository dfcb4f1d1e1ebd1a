import type { QueryClient } from '@tanstack/react-query';
import type { ContactSelection } from '#features/audience/contract.ts';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { failureOf, type Outcome, startTask } from '#features/tasks/web/index.ts';
import { words } from '#platform/web/api.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { type MembersAdded, type MembersRemoved, undoMembership } from '../contract.ts';
import type { GroupCalls } from './group-calls.ts';

export interface GroupChange {
  isAddition: boolean;
  /** The id of a list or tag, or the name of a new one. */
  group: { id: number; name: string } | { newName: string };
  selection: ContactSelection;
}

const failed = 'Failed to perform bulk action. Please try again.';

/**
 * Makes the change, says how it ended and offers to undo it. Returns once the work is on its way.
 * Throws `ApiError` when it could not even begin.
 */
export async function changeAndTell(
  queryClient: QueryClient,
  calls: GroupCalls,
  { isAddition, group: chosen, selection }: GroupChange,
  onBegun: () => void,
): Promise<void> {
  const group = 'id' in chosen ? chosen : await calls.create(chosen.newName);
  // If the change cannot begin, the next try finds the new one and makes no second.
  if (!('id' in chosen)) await queryClient.invalidateQueries({ queryKey: [calls.all.path] });
  const input = { params: { id: group.id }, body: selection };
  const started = isAddition
    ? startTask(queryClient, calls.add, input)
    : startTask(queryClient, calls.remove, input);
  const { outcome } = await started;
  onBegun();
  // Not awaited: the dialog closes, and the tray shows the progress.
  void outcome.then((ended) => tellOutcome(queryClient, calls, { name: group.name, isAddition }, ended));
}

/** Says how a change ended, offers to undo it, and reads again what it changed. */
export function tellOutcome(
  queryClient: QueryClient,
  calls: GroupCalls,
  { name, isAddition }: { name: string; isAddition: boolean },
  ended: Outcome<object>,
): void {
  const { status, body } = ended;
  const result = (body ?? {}) as Partial<MembersAdded & MembersRemoved>;
  const { changeId = null } = result;
  if (status === 'failed') toastFailed(failureOf(ended, { message: failed }));
  else {
    toastDone({
      title: status === 'cancelled' ? 'Change Cancelled' : 'Bulk Action Complete',
      message: wordsFor(calls.noun, name, isAddition, result),
      ...(changeId === null
        ? {}
        : { action: { label: 'Undo', onClick: () => void undoAndTell(queryClient, changeId) } }),
    });
  }
  void refreshContacts(queryClient);
}

function wordsFor(
  noun: GroupCalls['noun'],
  name: string,
  isAddition: boolean,
  {
    added = 0,
    removed = 0,
    alreadyThere = 0,
    notThere = 0,
    leftOut = 0,
    unknown,
  }: Partial<MembersAdded & MembersRemoved>,
): string {
  const place = noun === 'list' ? `on ${name}` : `tagged ${name}`;
  if (unknown !== undefined && unknown.count > 0 && added + removed + alreadyThere + notThere + leftOut === 0)
    return 'Nothing was changed: none of these addresses is a contact.';
  if (!isAddition)
    return removed === 0
      ? `Nothing was changed: none of them was ${place}.`
      : `${formatCount(removed, 'contact is', 'contacts are')} no longer ${place}.`;
  const before = alreadyThere === 0 ? '' : ` ${formatCount(alreadyThere, 'was', 'were')} already.`;
  const left =
    leftOut === 0
      ? ''
      : ` ${formatCount(leftOut, 'contact', 'contacts')} left it on the preference page and ${leftOut === 1 ? 'stays' : 'stay'} off.`;
  if (added === 0)
    return leftOut === 0
      ? `Nothing was changed: all of them were ${place} already.`
      : `Nothing was changed.${before}${left}`;
  return `${formatCount(added, 'contact is', 'contacts are')} now ${place}.${before}${left}`;
}

async function undoAndTell(queryClient: QueryClient, id: number): Promise<void> {
  try {
    const { outcome } = await startTask(queryClient, undoMembership, { params: { id } });
    const ended = await outcome;
    if (ended.status === 'failed') toastFailed(failureOf(ended));
    else
      toastDone({
        title: 'Change Undone',
        message: `${formatCount(ended.body?.undone ?? 0, 'contact is', 'contacts are')} as before.`,
      });
  } catch (error) {
    toastFailed({ title: 'Error', message: words(error, 'Failed to undo. Please try again.') });
  }
  await refreshContacts(queryClient);
}
