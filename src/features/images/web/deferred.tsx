import type { QueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { deferred } from '#platform/web/components/deferred.tsx';
import type { PickedImage } from './picked-image.ts';

type Answer = (picked: PickedImage | null) => void;

const Picker = deferred(async () => (await import('./image-picker.tsx')).ImagePicker);

interface ImagePickerHandle {
  /** Asks for an image. Answers null when nobody chose one. */
  pickImage: () => Promise<PickedImage | null>;
  /** The dialog. Draw it once, wherever. */
  picker: ReactNode;
}

/** Lets somebody choose an image of the library, or upload one. Fetched when asked. */
export function useImagePicker(): ImagePickerHandle {
  const [answer, setAnswer] = useState<Answer | null>(null);
  return {
    pickImage: () => new Promise((resolve) => setAnswer(() => resolve)),
    picker: answer && <Picker onDone={answer} onGone={() => setAnswer(null)} />,
  };
}

/** Takes images out of the library that came in for something that was not made after all. */
export const takeBack = async (queryClient: QueryClient, ids: readonly number[]): Promise<void> => {
  if (ids.length > 0) await (await import('./image-actions.ts')).deleteBrought(queryClient, ids);
};

/** The same for a page that goes, which waits for nothing: all it needs is there before. */
export const preparedTakeBack = async (ids: readonly number[]): Promise<() => void> => {
  const { tellUnused } = await import('./image-actions.ts');
  return () => tellUnused(ids);
};
