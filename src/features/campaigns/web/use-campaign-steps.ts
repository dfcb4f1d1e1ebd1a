import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { call, words } from '#platform/web/api.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import {
  archiveCampaign,
  type Campaign,
  cancelCampaign,
  deleteCampaign,
  duplicateCampaign,
  pauseCampaign,
  restoreCampaign,
  resumeCampaign,
} from '../contract.ts';
import { refreshCampaigns } from './refresh-campaigns.ts';

/** Reads again whatever shows campaigns. */
export function useRefreshCampaigns(): () => Promise<void> {
  const queryClient = useQueryClient();
  return useMemo(() => () => refreshCampaigns(queryClient), [queryClient]);
}

type Step = (campaign: Pick<Campaign, 'id' | 'name' | 'archivedAt'>) => void;

/** What can be done with a campaign beside writing and sending it. Each says how it went. */
export function useCampaignSteps(): Record<
  'pause' | 'resume' | 'cancel' | 'archive' | 'duplicate' | 'remove',
  Step
> {
  const refresh = useRefreshCampaigns();
  const navigate = useNavigate();
  return useMemo(() => {
    const doing = async (failure: string, work: () => Promise<void>) => {
      try {
        await work();
      } catch (error) {
        toastFailed({ title: 'Error', message: words(error, failure) });
      }
      await refresh();
    };
    const bringBack = (id: number, name: string) =>
      doing('Failed to restore campaign', async () => {
        await call(restoreCampaign, { params: { id } });
        toastDone({ title: 'Campaign Restored', message: `${name} is a draft again.` });
      });
    return {
      pause: ({ id, name }) =>
        void doing('Failed to pause campaign', async () => {
          await call(pauseCampaign, { params: { id } });
          toastDone({ title: 'Campaign Paused', message: `Nothing more of ${name} leaves.` });
        }),
      resume: ({ id, name }) =>
        void doing('Failed to resume campaign', async () => {
          await call(resumeCampaign, { params: { id } });
          toastDone({ title: 'Campaign Resumed', message: `${name} goes on.` });
        }),
      cancel: ({ id, name }) =>
        void doing('Failed to cancel campaign', async () => {
          await call(cancelCampaign, { params: { id } });
          toastDone({ title: 'Campaign Cancelled', message: `Nothing more of ${name} is sent.` });
        }),
      archive: ({ id, name, archivedAt }) =>
        void doing('Failed to archive campaign', async () => {
          await call(archiveCampaign, { params: { id }, body: { archived: archivedAt === null } });
          toastDone(
            archivedAt === null
              ? { title: 'Campaign Archived', message: `${name} is out of the way.` }
              : { title: 'Campaign Restored', message: `${name} is back in the list.` },
          );
        }),
      duplicate: ({ id, name }) =>
        void doing('Failed to duplicate campaign', async () => {
          const copy = await call(duplicateCampaign, { params: { id } });
          toastDone({ title: 'Campaign Created', message: `A draft like ${name}.` });
          await navigate({ to: '/campaigns/$id', params: { id: String(copy.id) } as never });
        }),
      remove: ({ id, name }) =>
        void doing('Failed to delete campaign', async () => {
          await call(deleteCampaign, { params: { id } });
          toastDone({
            title: 'Campaign Deleted',
            message: `${name} is deleted.`,
            action: { label: 'Undo', onClick: () => bringBack(id, name) },
            joins: true,
          });
        }),
    };
  }, [refresh, navigate]);
}

/** Opens a campaign where all of it can be changed. */
export function useOpenEditor(): (id: number) => void {
  const navigate = useNavigate();
  return (id) => void navigate({ to: '/campaigns/$id/edit', params: { id: String(id) } as never });
}
