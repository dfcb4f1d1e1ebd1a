import { startTask } from '#features/tasks/web/index.ts';
import { call } from '#platform/web/api.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import {
  type AcceptedCorrections,
  acceptCorrections,
  dismissCorrections,
  dismissDuplicates,
  type MergeField,
  mergeContacts,
  type WhichCorrections,
} from '../contract.ts';
import { tellEnd, unlessLong, useAttempt } from './attempt.ts';
import { useTakeBack } from './take-back.ts';

/**
 * The decisions of a review. Each does its work, reports the result and offers an undo. None
 * rejects.
 */
export function useDecisions() {
  const { queryClient, refresh, attempt } = useAttempt();
  const { takeBackCorrection, takeBackMerge } = useTakeBack();

  return {
    takeBackCorrection,
    takeBackMerge,

    accept: (which: AcceptedCorrections) =>
      attempt(async () => {
        const { taskId, outcome } = await startTask(queryClient, acceptCorrections, { body: which });
        const told = outcome.then(async (ended) => {
          const { corrected = 0, needMerge = 0, suppressed = 0, correctionId = null } = ended.body ?? {};
          const parts = [`${formatCount(corrected, 'address', 'addresses')} corrected.`];
          if (needMerge > 0) {
            parts.push(
              `${formatCount(needMerge, 'contact has', 'contacts have')} an address that exists already: merge them.`,
            );
          }
          if (suppressed > 0) {
            parts.push(`${formatCount(suppressed, 'is', 'are')} suppressed under the new address.`);
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
          message: `${formatCount(dismissed, 'address stays', 'addresses stay')} as they are, and you will not be asked again.`,
        });
      }, 'Failed to dismiss. Please try again.'),

    merge: (keepId: number, otherIds: number[], fields: Partial<Record<MergeField, number>> = {}) =>
      attempt(async () => {
        const { mergeId, removed, contact } = await call(mergeContacts, {
          body: { keepId, otherIds, fields },
        });
        toastDone({
          title: 'Contacts Merged',
          message: `${formatCount(removed, 'contact', 'contacts')} merged into ${contact.address}.`,
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
