import type { QueryClient } from '@tanstack/react-query';
import type { EndpointDefinition } from '#platform/shared/contract.ts';
import type { CallInput } from '#platform/web/api.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import type { StartedTask } from '../contract.ts';
import { tasksWords } from '../rules/words.ts';
import type { BodyOf, NotCompleted, Started } from './started.ts';

export type { NotCompleted, Outcome, Started } from './started.ts';
/** @public for screens that show their own task larger than the tray does */
export { useTask } from './task-store.ts';

/**
 * Makes a call that may take long, without waiting for its end. A dialog can close while the work
 * goes on in the header's tray. `outcome` tells how it ended, for a message. Throws `ApiError` if
 * it could not even begin.
 */
export async function startTask<const D extends EndpointDefinition>(
  queryClient: QueryClient,
  endpoint: D,
  input: CallInput<D>,
): Promise<Started<BodyOf<D>>> {
  const { startTask: start } = await import('./start-task.ts');
  return start(queryClient, endpoint, input);
}

/**
 * Follows the answer to a call with `Prefer: respond-async`, for an upload, which `startTask`
 * cannot make.
 */
export async function followTask<Body>(
  queryClient: QueryClient,
  answer: Body | StartedTask,
): Promise<Started<Body>> {
  const { followTask: follow } = await import('./start-task.ts');
  return follow(queryClient, answer);
}

/** The title and the words for work that failed, unless nobody here knows whether it did. */
export const failureOf = (
  ended: NotCompleted,
  { title = 'Error', message = ended.message }: { title?: string; message?: string } = {},
): { title: string; message: string } =>
  ended.isUnknown ? { title: 'Not Known', message: ended.message } : { title, message };

export const tasksFeature: WebFeature = {
  words: tasksWords,
  pages: [],
  background: () => import('./running-tasks.tsx'),
};
