import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { words } from '#platform/web/api.ts';
import { upload } from '#platform/web/transfer.ts';
import { type Image, uploadImage } from '../contract.ts';
import { mostMegabytes } from '../rules/limits.ts';
import { refreshImages } from './image-actions.ts';

/** A file that was not taken, and why. */
export interface Refusal {
  file: string;
  words: string;
}

export interface Uploads {
  /** Files that are on their way or wait for that. */
  left: number;
  refusals: readonly Refusal[];
  send: (files: readonly File[]) => void;
}

const tooLarge = `The image is larger than the ${mostMegabytes} MB allowed. Make it smaller and try again.`;

/**
 * Sends files one after the other. Leaving the screen stops them, because nobody would see what
 * became of them.
 */
export function useUploads(onUploaded?: (image: Image) => void): Uploads {
  const queryClient = useQueryClient();
  const [left, setLeft] = useState(0);
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const waiting = useRef<File[]>([]);
  const stopper = useRef<AbortController | null>(null);
  const told = useRef(onUploaded);
  told.current = onUploaded;
  useEffect(
    () => () => {
      waiting.current = [];
      stopper.current?.abort();
    },
    [],
  );

  const send = useCallback(
    (files: readonly File[]) => {
      if (files.length === 0) return;
      waiting.current.push(...files);
      setLeft(waiting.current.length + (stopper.current ? 1 : 0));
      if (stopper.current) return;
      setRefusals([]);
      const controller = new AbortController();
      stopper.current = controller;
      void sendAll(waiting.current, controller.signal, {
        onLeft: setLeft,
        onUploaded: (image) => told.current?.(image),
        onRefused: (refusal) => setRefusals((before) => [...before, refusal]),
      }).finally(() => {
        stopper.current = null;
        void refreshImages(queryClient);
      });
    },
    [queryClient],
  );
  return { left, refusals, send };
}

interface Listener {
  onLeft: (left: number) => void;
  onUploaded: (image: Image) => void;
  onRefused: (refusal: Refusal) => void;
}

/** Never rejects. Files that are added to `waiting` meanwhile are sent too. */
async function sendAll(waiting: File[], signal: AbortSignal, listener: Listener): Promise<void> {
  for (let file = waiting.shift(); file && !signal.aborted; file = waiting.shift()) {
    listener.onLeft(waiting.length + 1);
    try {
      if (file.size > mostMegabytes * 1_048_576) throw new Error(tooLarge);
      const form = new FormData();
      form.append('file', file);
      listener.onUploaded(await upload(uploadImage, { form, signal }));
    } catch (error) {
      if (signal.aborted) return;
      const told = error instanceof Error && error.message === tooLarge ? tooLarge : words(error);
      listener.onRefused({ file: file.name, words: told });
    }
  }
  listener.onLeft(0);
}
