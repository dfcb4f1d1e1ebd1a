import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { refreshContacts } from '#features/contacts/web/index.ts';
import { failureOf, followTask } from '#features/tasks/web/index.ts';
import { words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { upload } from '#platform/web/transfer.ts';
import { importSuppressions, type ListImportResult } from '../contract.ts';
import { newWords } from './words.ts';

/*
 *   choosing --(sent)--> sending --(stored)--> working --(done)--> done
 *      ^--(refused, cut off)--/ ^----(failed, cancelled)----/
 *
 * Leaving while the file is being sent cancels the import. Leaving later does not.
 */
export type ImportStage =
  | { at: 'choosing'; error: string | null }
  | { at: 'sending'; share: number }
  | { at: 'working'; taskId: number }
  | { at: 'done'; result: ListImportResult };

const failure = 'The list could not be imported. Nothing was changed.';

interface ChosenList {
  file: File;
  reason: string;
  form: string;
}

export function useListImport() {
  const queryClient = useQueryClient();
  const [stage, setStage] = useState<ImportStage>({ at: 'choosing', error: null });
  /** The import that the dialog shows. The results of others only appear as messages. */
  const shown = useRef<AbortController | null>(null);

  const reset = useCallback(() => {
    shown.current = null;
    setStage({ at: 'choosing', error: null });
  }, []);

  const start = async (list: ChosenList) => {
    const own = new AbortController();
    shown.current = own;
    const show = (next: ImportStage) => {
      if (shown.current === own) setStage(next);
    };
    show({ at: 'sending', share: 0 });
    try {
      const answer = await upload(importSuppressions, {
        form: formOf(list),
        headers: { prefer: 'respond-async' },
        signal: own.signal,
        onProgress: ({ sent, total }) => show({ at: 'sending', share: total > 0 ? sent / total : 0 }),
      });
      const { taskId, outcome } = await followTask<ListImportResult>(queryClient, answer);
      if (taskId !== null) show({ at: 'working', taskId });
      const ended = await outcome;
      void refreshContacts(queryClient);
      if (ended.status === 'completed') {
        const { added, domains } = ended.body;
        show({ at: 'done', result: ended.body });
        toastDone({
          title: 'Suppression List Imported',
          message: `${newWords(added, domains)} on the list.`,
        });
      } else {
        if (shown.current !== own) toastFailed(failureOf(ended));
        show({ at: 'choosing', error: ended.message });
      }
    } catch (error) {
      if (!own.signal.aborted) show({ at: 'choosing', error: words(error, failure) });
    }
  };

  const leave = () => {
    if (stage.at === 'sending') shown.current?.abort();
    shown.current = null;
  };
  return { stage, start: (list: ChosenList) => void start(list), reset, leave };
}

function formOf({ file, reason, form }: ChosenList): FormData {
  const body = new FormData();
  body.set('reason', reason);
  body.set('form', form);
  body.set('file', file);
  return body;
}
