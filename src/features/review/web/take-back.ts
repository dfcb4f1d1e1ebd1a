import { startTask } from '#features/tasks/web/index.ts';
import { call } from '#platform/web/api.ts';
import { formatCount } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { undoCorrection, undoMerge } from '../contract.ts';
import { tellEnd, unlessLong, useAttempt } from './attempt.ts';

/** How to undo a decision. Each does its work and reports the result. None rejects. */
export function useTakeBack() {
  const { queryClient, refresh, attempt } = useAttempt();

  const takeBackCorrection = (id: number) =>
    attempt(async () => {
      const { taskId, outcome } = await startTask(queryClient, undoCorrection, { params: { id } });
      const told = outcome.then(async (ended) => {
        const { restored = 0, leftOut = 0 } = ended.body ?? {};
        const rest =
          leftOut > 0 ? ` ${formatCount(leftOut, 'has', 'have')} changed since and stay as they are.` : '';
        tellEnd(ended, 'Correction Undone', 'Undo Cancelled', {
          message: `${formatCount(restored, 'address is', 'addresses are')} as before.${rest}`,
        });
        await refresh();
      });
      await unlessLong(taskId, told);
    }, 'Failed to undo. Please try again.');

  const takeBackMerge = (id: number) =>
    attempt(async () => {
      const { restored } = await call(undoMerge, { params: { id } });
      toastDone({
        title: 'Merge Undone',
        message: `${formatCount(restored, 'contact is', 'contacts are')} back.`,
      });
    }, 'Failed to undo. Please try again.');

  return { takeBackCorrection, takeBackMerge };
}
