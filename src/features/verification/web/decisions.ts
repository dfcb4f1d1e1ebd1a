import { useQueryClient } from '@tanstack/react-query';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { call, words } from '#platform/web/api.ts';
import { formatNumber } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import {
  acceptCorrections,
  dismissCorrections,
  dismissDuplicates,
  type MergeField,
  mergeContacts,
  undoCorrection,
  undoMerge,
  type WhichCorrections,
} from '../contract.ts';

const inWords = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${formatNumber(count)} ${many}`;

/** The decisions of a review: each does its work, says what came of it and offers the way back. None rejects. */
export function useDecisions() {
  const queryClient = useQueryClient();
  const attempt = async (work: () => Promise<void>, failure: string) => {
    try {
      await work();
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error, failure) });
    }
    await refreshContacts(queryClient);
  };

  const takeBackCorrection = (id: number) =>
    attempt(async () => {
      const { restored, leftOut } = await call(undoCorrection, { params: { id } });
      const rest =
        leftOut > 0 ? ` ${inWords(leftOut, 'has', 'have')} changed since and stay as they are.` : '';
      toastDone({
        title: 'Correction Undone',
        message: `${inWords(restored, 'address is', 'addresses are')} as before.${rest}`,
      });
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
    accept: (which: WhichCorrections) =>
      attempt(async () => {
        const { corrected, needMerge, suppressed, correctionId } = await call(acceptCorrections, {
          body: which,
        });
        const parts = [`${inWords(corrected, 'address', 'addresses')} corrected.`];
        if (needMerge > 0) {
          parts.push(
            `${inWords(needMerge, 'contact has', 'contacts have')} an address that exists already: merge them.`,
          );
        }
        if (suppressed > 0) parts.push(`${formatNumber(suppressed)} stay suppressed.`);
        toastDone({
          title: corrected > 0 ? 'Addresses Corrected' : 'Nothing Corrected',
          message: parts.join(' '),
          ...(correctionId === null
            ? {}
            : { action: { label: 'Undo', onClick: () => void takeBackCorrection(correctionId) } }),
        });
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
