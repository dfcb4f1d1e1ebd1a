import { useQueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import {
  acceptCorrections,
  dismissCorrections,
  dismissDuplicates,
  listCorrectedContacts,
  listPastDecisions,
  type MergeField,
  mergeContacts,
  undoCorrection,
  undoMerge,
  type WhichCorrections,
} from '#features/review/contract.ts';
import { startTask } from '#features/tasks/web/index.ts';
import { call, words } from '#platform/web/api.ts';
import { formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';

const inWords = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${formatNumber(count)} ${many}`;

/** Says how work ended: done, cancelled, or failed with what was done before. */
function tellEnd(
  ended: { status: 'completed' } | { status: 'failed' | 'cancelled'; message: string },
  done: string,
  cancelled: string,
  said: Pick<Parameters<typeof toastDone>[0], 'action'> & { message: string },
): void {
  if (ended.status === 'failed') {
    toastFailed({ ...said, title: 'Error', message: `${ended.message} ${said.message}` });
  } else {
    toastDone({ ...said, title: ended.status === 'cancelled' ? cancelled : done });
  }
}

/** The decisions of a review: each does its work, says what came of it and offers the way back. None rejects. */
export function useDecisions() {
  const queryClient = useQueryClient();
  const refresh = () =>
    Promise.all([
      refreshContacts(queryClient),
      ...[listPastDecisions, listCorrectedContacts].map(({ path }) =>
        queryClient.invalidateQueries({ queryKey: [path] }),
      ),
    ]);
  /** Large work goes on in the tray, so a button need not wait for it; what is done within the call, it waits for. */
  const unlessLong = (taskId: number | null, outcome: Promise<void>) =>
    taskId === null ? outcome : undefined;
  const attempt = async (work: () => Promise<void>, failure: string) => {
    try {
      await work();
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error, failure) });
    }
    await refresh();
  };

  const takeBackCorrection = (id: number) =>
    attempt(async () => {
      const { taskId, outcome } = await startTask(queryClient, undoCorrection, { params: { id } });
      const told = outcome.then(async (ended) => {
        const { restored = 0, leftOut = 0 } = ended.body ?? {};
        const rest =
          leftOut > 0 ? ` ${inWords(leftOut, 'has', 'have')} changed since and stay as they are.` : '';
        tellEnd(ended, 'Correction Undone', 'Undo Cancelled', {
          message: `${inWords(restored, 'address is', 'addresses are')} as before.${rest}`,
        });
        await refresh();
      });
      await unlessLong(taskId, told);
    }, 'Failed to undo. Please try again.');

  const takeBackMerge = (id: number) =>
    attempt(async () => {
      const { restored } = await call(undoMerge, { params: { id } });
      toastDone({
        title: 'Merge Undone',
        message: `${inWords(restored, 'contact is', 'contacts are')} back.`,
      });
    }, 'Failed to undo. Please try again.');

  return {
    takeBackCorrection,
    takeBackMerge,

    accept: (which: WhichCorrections) =>
      attempt(async () => {
        const { taskId, outcome } = await startTask(queryClient, acceptCorrections, { body: which });
        const told = outcome.then(async (ended) => {
          const { corrected = 0, needMerge = 0, suppressed = 0, correctionId = null } = ended.body ?? {};
          const parts = [`${inWords(corrected, 'address', 'addresses')} corrected.`];
          if (needMerge > 0) {
            parts.push(
              `${inWords(needMerge, 'contact has', 'contacts have')} an address that exists already: merge them.`,
            );
          }
          if (suppressed > 0) {
            parts.push(`${inWords(suppressed, 'is', 'are')} suppressed under the new address.`);
          }
          tellEnd(
            ended,
            corrected > 0 ? 'Addresses Corrected' : 'Nothing Corrected',
            'Correction Cancelled',
            {
              message: parts.join(' '),
              ...(correctionId === null
                ? {}
                : { action: { label: 'Undo', onClick: () => void takeBackCorrection(correctionId) } }),
            },
          );
          await refresh();
        });
        await unlessLong(taskId, told);
      }, 'Failed to correct. Please try again.'),

    dismiss: (which: WhichCorrections) =>
      attempt(async () => {
        const { dismissed } = await call(dismissCorrections, { body: which });
        toastDone({
          title: 'Suggestions Dismissed',
          message: `${inWords(dismissed, 'address stays', 'addresses stay')} as they are, and you will not be asked again.`,
        });
      }, 'Failed to dismiss. Please try again.'),

    merge: (keepId: number, otherIds: number[], fields: Partial<Record<MergeField, number>> = {}) =>
      attempt(async () => {
        const { mergeId, removed, contact } = await call(mergeContacts, {
          body: { keepId, otherIds, fields },
        });
        toastDone({
          title: 'Contacts Merged',
          message: `${inWords(removed, 'contact', 'contacts')} merged into ${contact.address}.`,
          action: { label: 'Undo', onClick: () => void takeBackMerge(mergeId) },
        });
      }, 'Failed to merge. Please try again.'),

    keepApart: (mailbox: string) =>
      attempt(async () => {
        await call(dismissDuplicates, { body: { mailbox } });
        toastDone({
          title: 'Kept Apart',
          message: 'They stay separate contacts, and you will not be asked again.',
        });
      }, 'Failed to dismiss. Please try again.'),
  };
}
