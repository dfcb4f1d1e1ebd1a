import { useQueryClient } from '@tanstack/react-query';
import type { BodyOf } from '#platform/shared/contract.ts';
import { call, queryKeyOf, words } from '#platform/web/api.ts';
import { showNewer } from '#platform/web/query-client.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { changePace, getPace } from '../contract.ts';

/** Changes a part of the pace, here and on the server. Throws the `ApiError` of a failed call. */
export function useChangePace(): (body: BodyOf<typeof changePace>) => Promise<void> {
  const queryClient = useQueryClient();
  return async (body) => {
    showNewer(queryClient, queryKeyOf(getPace), await call(changePace, { body }));
  };
}

/** Takes something off a list, and can put it back. */
export async function endWithUndo(
  { title, message }: { title: string; message: string },
  { end, undo }: { end: () => Promise<void>; undo: () => Promise<void> },
): Promise<void> {
  try {
    await end();
    toastDone({ title, message, action: { label: 'Undo', onClick: () => void undo().catch(tellFailed) } });
  } catch (failure) {
    tellFailed(failure);
  }
}

const tellFailed = (failure: unknown) =>
  toastFailed({ title: 'Update Failed', message: words(failure, 'The sending pace could not be saved.') });
