import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, queryOptionsFor, words } from '#platform/web/api.ts';
import { useMay } from '#platform/web/current-user.ts';
import { showNewer } from '#platform/web/query-client.ts';
import type { Saver, SaverState, Sending } from '#platform/web/saver.ts';
import { toastFailed } from '#platform/web/toast.tsx';
import { useSaver } from '#platform/web/use-saver.ts';
import { type Campaign, getCampaign, updateCampaign } from '../../contract.ts';
import { useRefreshCampaigns } from '../use-campaign-steps.ts';
import { bodyOf, type Draft, draftOf, isSameDraft } from './draft.ts';

export interface Editing extends SaverState<Draft, Campaign> {
  saver: Saver<Draft, Campaign, string>;
  /** As far as this page knows. When it leaves may not be known. */
  stored: Campaign;
  /** It was a draft when it was opened here, and leaves at a time now. */
  isScheduledSince: boolean;
  /** Goes on from what is stored. What is not saved is gone. Never rejects. */
  takeStored: () => Promise<void>;
  /** Hears whether it is still to leave by itself. What is written here stays. Never rejects. */
  lookAgain: () => Promise<void>;
}

/**
 * A campaign being written. Drafts save themselves a moment after each change. A scheduled one may
 * leave at any moment, so half a sentence of it is saved only by somebody who asks for it. The
 * server holds to that too: somebody may have scheduled it since this page last heard of it.
 */
export function useCampaignDraft(campaign: Campaign): Editing {
  const { id } = campaign;
  const queryClient = useQueryClient();
  const refresh = useRefreshCampaigns();
  const mayWrite = useMay('editor');
  const editing = useSaver<Draft, Campaign, string>(() => ({
    ...{ stored: campaign, begin: draftOf(campaign), mayWrite, draftOf, problemOf },
    versionOf: ({ updatedAt }) => updatedAt,
    isSame: isSameDraft,
    savesItself: ({ status }) => status === 'draft',
    send: async (sending) => show(queryClient, await send(id, sending)),
    read: () => call(getCampaign, { params: { id } }),
    onFailed: tellFailed,
  }));
  const { saver, refusal } = editing;
  const stored = editing.stored ?? campaign;
  // Each refusal is an object of its own, so each is looked into once.
  useEffect(() => {
    if (refusal?.code === 'campaign_scheduled') void noteScheduled(id, saver);
  }, [refusal, id, saver]);
  // Other screens show it too, once it is left.
  useEffect(() => () => void refresh(), [refresh]);
  return {
    ...editing,
    stored,
    isScheduledSince: campaign.status === 'draft' && stored.status === 'scheduled',
    takeStored: async () => {
      try {
        saver.take(show(queryClient, await call(getCampaign, { params: { id } })));
      } catch (error) {
        tellFailed(error);
      }
    },
    lookAgain: async () => {
      try {
        hear(saver, await call(getCampaign, { params: { id } }));
      } catch (error) {
        toastFailed({ title: 'Error', message: words(error, 'The campaign could not be looked at.') });
      }
    },
  };
}

/** Tells the rest of the page what is stored now. */
function show(queryClient: QueryClient, campaign: Campaign): Campaign {
  const { queryKey } = queryOptionsFor(getCampaign, { params: { id: campaign.id } });
  showNewer(queryClient, queryKey, campaign);
  return campaign;
}

function send(id: number, { draft, version, seen, isAutomatic }: Sending<Draft, Campaign, string>) {
  // Whoever takes it for a draft has not asked for a change of what is scheduled.
  const onlyDraft = isAutomatic || seen?.status === 'draft';
  const updatedAt = version ?? undefined;
  return call(updateCampaign, { params: { id }, body: { ...bodyOf(draft), updatedAt, onlyDraft } });
}

/** The contract's own words about what it does not take. */
const problemOf = (draft: Draft): string | null =>
  updateCampaign.body.safeParse(bodyOf(draft)).error?.issues[0]?.message ?? null;

/** Somebody has scheduled it. Reads for when, and leaves what this page has written alone. */
async function noteScheduled(id: number, saver: Editing['saver']): Promise<void> {
  hear(saver, { status: 'scheduled', sendAt: null });
  try {
    hear(saver, await call(getCampaign, { params: { id } }));
  } catch {
    // The page says that it is scheduled, without the time.
  }
}

/** Takes note of where it stands, and of nothing else: what was written on is the same. */
function hear(saver: Editing['saver'], { status, sendAt }: Pick<Campaign, 'status' | 'sendAt'>): void {
  const { stored } = saver.state();
  if (stored) saver.hear({ ...stored, status, sendAt });
}

const tellFailed = (error: unknown) =>
  toastFailed({ title: 'Error', message: words(error, 'The campaign could not be saved.') });
