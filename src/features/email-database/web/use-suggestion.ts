import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import type { Contact } from '#features/contacts/contract.ts';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { acceptCorrections, undoCorrection } from '#features/review/contract.ts';
import { failureOf, startTask } from '#features/tasks/web/index.ts';
import { words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import type { ContactActions } from './contact-actions.ts';

type WithSuggestion = Pick<Contact, 'id' | 'address' | 'domain' | 'verification'>;

/**
 * Gives a contact the suggested address, says so, and offers an undo. If another contact already
 * has that address, nothing changes and the message leads to the review, where the two can be
 * merged. Runs only once, even if both the panel's and the row's button are pressed. Never rejects.
 */
export function useSuggestion(): Pick<ContactActions, 'onUseSuggestion' | 'correcting'> {
  const correct = useCorrect();
  const { keys: correcting, once } = useOnce();
  return { correcting, onUseSuggestion: (contact) => once(contact.id, () => correct(contact)) };
}

/** Runs at most one thing at a time for each key, and knows which keys are busy. */
function useOnce() {
  const [keys, setKeys] = useState<ReadonlySet<number>>(new Set());
  // Kept besides the state, which a second press within the same frame may not see yet.
  const busy = useRef(new Set<number>());
  const once = useCallback(async (key: number, work: () => Promise<void>) => {
    if (busy.current.has(key)) return;
    busy.current.add(key);
    setKeys(new Set(busy.current));
    try {
      await work();
    } finally {
      busy.current.delete(key);
      setKeys(new Set(busy.current));
    }
  }, []);
  return { keys, once };
}

function useCorrect(): (contact: WithSuggestion) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (contact) => {
    const { id, verification } = contact;
    const suggestion = verification?.suggestion ?? null;
    if (suggestion === null) return;
    try {
      const { outcome } = await startTask(queryClient, acceptCorrections, { body: { ids: [id] } });
      const ended = await outcome;
      const { correctionId = null, suppressed = 0, needMerge = 0 } = ended.body ?? {};
      if (ended.status === 'failed') toastFailed(failureOf(ended));
      else if (correctionId !== null) {
        tellCorrected(contact, suggestion, suppressed > 0, () =>
          takeBack(queryClient, correctionId, contact),
        );
      } else {
        const review = () => navigate({ to: '/review', search: patternOf(contact, suggestion) });
        tellUncorrected(suggestion, needMerge > 0 ? review : null);
      }
    } catch (error) {
      toastFailed({ title: 'Error', message: words(error, 'Failed to correct. Please try again.') });
    }
    await refreshContacts(queryClient);
  };
}

function tellCorrected(
  { address }: WithSuggestion,
  suggestion: string,
  isSuppressed: boolean,
  undo: () => Promise<void>,
): void {
  const listed = isSuppressed ? ' It is suppressed under the new address.' : '';
  toastDone({
    title: 'Address Corrected',
    message: `${address} is now ${suggestion}.${listed}`,
    action: { label: 'Undo', onClick: () => void undo() },
  });
}

/** `review` leads to where the contact can be merged with the one that already has the address. */
function tellUncorrected(suggestion: string, review: (() => Promise<void>) | null): void {
  toastDone({
    title: 'Nothing Corrected',
    message: review
      ? `${suggestion} is a contact already. The two can be merged.`
      : 'There is no suggestion for it any more.',
    ...(review ? { action: { label: 'Open in Review', onClick: () => void review() } } : {}),
  });
}

async function takeBack(
  queryClient: QueryClient,
  correctionId: number,
  { address }: WithSuggestion,
): Promise<void> {
  try {
    const { outcome } = await startTask(queryClient, undoCorrection, { params: { id: correctionId } });
    const ended = await outcome;
    const { restored = 0 } = ended.body ?? {};
    if (ended.status === 'failed') toastFailed(failureOf(ended));
    else if (restored > 0)
      toastDone({ title: 'Correction Undone', message: `The address is ${address} again.` });
    else
      toastDone({
        title: 'Nothing Undone',
        message: `It has changed since, or ${address} is another contact.`,
      });
  } catch (error) {
    toastFailed({ title: 'Error', message: words(error, 'Failed to undo. Please try again.') });
  }
  await refreshContacts(queryClient);
}

/** Where the review lists a correction: under its old and new domain. */
function patternOf({ address, domain }: WithSuggestion, suggestion: string): { from: string; to: string } {
  const after = (text: string) => text.slice(text.lastIndexOf('@') + 1).toLowerCase();
  return { from: domain || after(address), to: after(suggestion) };
}
