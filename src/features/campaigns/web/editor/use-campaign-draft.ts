import { useEffect, useRef, useState } from 'react';
import { call } from '#platform/web/api.ts';
import { type Campaign, getCampaign } from '../../contract.ts';
import { useRefreshCampaigns } from '../use-campaign-steps.ts';
import { type Draft, draftOf, isSameDraft } from './draft.ts';
import { type SaveReason, type Standing, useSaves } from './use-saves.ts';
import { type Stored, useStored } from './use-stored.ts';

/** Milliseconds after the last change, and before another try. */
const pause = 2_500;
const retry = 5_000;

export interface Editing extends Standing {
  draft: Draft;
  stored: Stored;
  /** What is written may differ from what is stored. */
  isChanged: boolean;
  /** It was a draft when it was opened here, and leaves at a time now. */
  isScheduledSince: boolean;
  change: (patch: Partial<Draft>) => void;
  /** Goes on from what was written earlier, on what was stored then. */
  resume: (draft: Draft, updatedAt: string) => void;
  /** Answers whether all that is written is stored now. */
  save: (reason?: SaveReason) => Promise<boolean>;
  /** Goes on from what is stored. What is not saved is gone. */
  takeStored: () => Promise<void>;
}

/**
 * A campaign being written. Drafts save themselves a moment after each change. A scheduled one may
 * leave at any moment, so half a sentence of it is saved only by somebody who asks for it. The
 * server holds to that too: somebody may have scheduled it since this page last heard of it.
 */
export function useCampaignDraft(campaign: Campaign): Editing {
  const { id } = campaign;
  const refresh = useRefreshCampaigns();
  const store = useStored(campaign);
  const { stored, keep, goBackTo } = store;
  const [draft, setDraft] = useState(stored.draft);
  const written = useRef(draft);
  written.current = draft;
  const { standing, save, rest } = useSaves(id, store, written);

  const { phase, isUnsure } = standing;
  const isChanged = isUnsure || !isSameDraft(draft, stored.draft);
  const mayByItself = stored.status === 'draft' && phase !== 'overtaken' && phase !== 'saving';
  useEffect(() => {
    if (!isChanged || !mayByItself) return;
    const timer = setTimeout(() => void save('auto'), phase === 'failing' ? retry : pause);
    return () => clearTimeout(timer);
  }, [draft, isChanged, mayByItself, phase, save]);
  // Other screens show it too, once it is left.
  useEffect(() => () => void refresh(), [refresh]);

  return {
    ...standing,
    draft,
    stored,
    isChanged,
    isScheduledSince: campaign.status === 'draft' && stored.status === 'scheduled',
    save,
    change: (patch) => setDraft((before) => ({ ...before, ...patch })),
    resume: (earlier, updatedAt) => {
      goBackTo(updatedAt);
      setDraft(earlier);
    },
    takeStored: async () => {
      const theirs = await call(getCampaign, { params: { id } });
      const read = draftOf(theirs);
      keep(read, theirs);
      setDraft(read);
      rest();
    },
  };
}
