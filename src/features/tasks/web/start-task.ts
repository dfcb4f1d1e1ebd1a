import type { QueryClient } from '@tanstack/react-query';
import type { EndpointDefinition } from '#platform/shared/contract.ts';
import { type CallInput, call, words } from '#platform/web/api.ts';
import { getTask, type StartedTask, type Task } from '../contract.ts';
import type { BodyOf, Outcome, Started } from './started.ts';
import { tellOtherTabs, watchTask } from './task-watch.ts';

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
  const answer = (await call(
    endpoint as EndpointDefinition,
    { ...input, headers: { ...input.headers, prefer: 'respond-async' } } as never,
  )) as BodyOf<D> | StartedTask;
  return followTask(queryClient, answer);
}

/**
 * Follows the answer to a call with `Prefer: respond-async`, for an upload, which `startTask`
 * cannot make.
 */
export async function followTask<Body>(
  queryClient: QueryClient,
  answer: Body | StartedTask,
): Promise<Started<Body>> {
  if (!isStarted(answer)) {
    return { taskId: null, outcome: Promise.resolve({ status: 'completed', body: answer }) };
  }
  const { taskId } = answer;
  tellOtherTabs();
  const task = await call(getTask, { params: { id: taskId } });
  const outcome = new Promise<Task | null>((whenEnded) => {
    watchTask(queryClient, task, { mayCancel: true, whenEnded });
  }).then((ended) => outcomeOf<Body>(ended));
  return { taskId, outcome };
}

const unknownEnd = 'How this ended is not known, because this page may not see it any more.';

const isStarted = (answer: unknown): answer is StartedTask =>
  typeof answer === 'object' && answer !== null && 'taskId' in answer;

function outcomeOf<Body>(task: Task | null): Outcome<Body> {
  if (!task) return { status: 'failed', body: null, message: unknownEnd, isUnknown: true };
  const { status, result, error } = task;
  if (status === 'completed') return { status, body: result as Body };
  return {
    status: status === 'cancelled' ? 'cancelled' : 'failed',
    body: result as Partial<Body> | null,
    message: error ?? words(null, 'It was cancelled.'),
  };
}
