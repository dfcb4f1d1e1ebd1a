import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isRefusal, words } from '#platform/web/api.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import type { ImportOptions } from '../contract.ts';
import { refreshImports, sendFile } from './api.ts';
import { watchImport, willTellOutcome } from './import-watch.ts';
import { failedMessage } from './import-words.ts';

export interface Upload {
  /** Bytes sent and the total; null when nothing is being sent. */
  sending: { sent: number; total: number } | null;
  /** Why the last attempt failed. */
  error: string | null;
  clearError: () => void;
  /**
   * Resolves to the import's id once the server has the file, or to null when it was refused or
   * stopped.
   */
  send: (order: { file: File; options: ImportOptions; dryRun: boolean }) => Promise<number | null>;
  stop: () => void;
}

/**
 * Sends one file at a time. Leaving the screen stops the upload, because nobody would see its
 * result.
 */
export function useUpload(): Upload {
  const [sending, setSending] = useState<Upload['sending']>(null);
  const [error, setError] = useState<string | null>(null);
  const stopper = useRef<AbortController | null>(null);
  const queryClient = useQueryClient();
  useEffect(() => () => stopper.current?.abort(), []);

  const send: Upload['send'] = async ({ file, options, dryRun }) => {
    const controller = new AbortController();
    stopper.current = controller;
    setError(null);
    setSending({ sent: 0, total: file.size });
    try {
      const id = await sendFile({
        file,
        options,
        dryRun,
        signal: controller.signal,
        onProgress: setSending,
      });
      willTellOutcome(id);
      watchImport(queryClient, id, { fileName: file.name, dryRun, announce: true });
      void refreshImports(queryClient);
      return id;
    } catch (failure) {
      if (controller.signal.aborted) {
        setError('The upload was stopped. Nothing was imported.');
      } else {
        if (isRefusal(failure)) setError(words(failure));
        else toastFailed(failedMessage);
      }
      // The server keeps a record of what it refused.
      void refreshImports(queryClient);
      return null;
    } finally {
      stopper.current = null;
      setSending(null);
    }
  };
  return { sending, error, clearError: () => setError(null), send, stop: () => stopper.current?.abort() };
}
