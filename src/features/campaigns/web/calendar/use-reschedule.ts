import { call, words } from '#platform/web/api.ts';
import { formatLondonTime } from '#platform/web/format.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { type Campaign, scheduleCampaign } from '../../contract.ts';
import { useRefreshCampaigns } from '../use-campaign-steps.ts';

type Scheduled = Pick<Campaign, 'id' | 'name' | 'sendAt'>;

/**
 * Gives a scheduled campaign another time, unless somebody has moved it or taken it back since it
 * was seen. The toast can undo it. A refusal is thrown.
 */
export function useReschedule(): (campaign: Scheduled, sendAt: Date) => Promise<void> {
  const refresh = useRefreshCampaigns();
  const move = async (id: number, seen: string | null, sendAt: string) => {
    try {
      const body = { sendAt, seenSendAt: seen ?? undefined };
      return await call(scheduleCampaign, { params: { id }, body });
    } finally {
      await refresh();
    }
  };
  return async ({ id, name, sendAt: before }, sendAt) => {
    const moved = await move(id, before, sendAt.toISOString());
    const putBack = async (at: string) => {
      try {
        await move(id, moved.sendAt, at);
        toastDone({ title: 'Campaign Scheduled', message: `${name} leaves as before.` });
      } catch (error) {
        toastFailed({ title: 'Error', message: words(error, failed) });
      }
    };
    toastDone({
      title: 'Campaign Scheduled',
      message: `${name} leaves on ${formatLondonTime(sendAt)}, London.`,
      ...(before !== null && { action: { label: 'Undo', onClick: () => void putBack(before) } }),
    });
  };
}

/** What is said when the server gives no reason. */
export const failed = 'The campaign could not be moved.';
