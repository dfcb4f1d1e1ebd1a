import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, call, isRefusal, words } from '#platform/web/api.ts';
import { type Campaign, getCampaign, updateCampaign } from '../../contract.ts';
import { useRefreshCampaigns } from '../use-campaign-steps.ts';
import { bodyOf, type Draft, draftOf, isSameDraft } from './draft.ts';
import { type Stored, useStored } from './use-stored.ts';

/** Milliseconds after the last change, and before another try. */
const pause = 2_500;
const retry = 5_000;

/** `overtaken`: somebody else has changed it, and nothing is saved over that by itself. */
export type Phase = 'resting' | 'saving' | 'failing' | 'refused' | 'overtaken';

/** `auto`: nobody asked for it. `over`: over what somebody else has saved. */
export type SaveReason = 'auto' | 'asked' | 'over';

interface Standing {
  phase: Phase;
  refusal: string | null;
  savedAt: Date | null;
}

export interface Editing extends Standing {
  draft: Draft;
  stored: Stored;
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
  const { stored, latest, keep, noteScheduled, goBackTo } = useStored(campaign);
  const [draft, setDraft] = useState(stored.draft);
  const [standing, setStanding] = useState<Standing>({ phase: 'resting', refusal: null, savedAt: null });
  const written = useRef(draft);
  written.current = draft;
  const turn = useRef<Promise<unknown>>(Promise.resolve());

  const saveOnce = useCallback(
    async (reason: SaveReason, onlyDraft: boolean): Promise<boolean> => {
      const sent = written.current;
      const { draft: before, updatedAt } = latest.current;
      if (isSameDraft(sent, before)) return true;
      const body = { ...bodyOf(sent), ...(reason === 'over' ? {} : { updatedAt }), onlyDraft };
      const problem = updateCampaign.body.safeParse(body).error?.issues[0]?.message;
      if (problem !== undefined) {
        setStanding((was) => ({ ...was, phase: 'refused', refusal: problem }));
        return false;
      }
      setStanding((was) => ({ ...was, phase: 'saving', refusal: null }));
      try {
        keep(sent, await call(updateCampaign, { params: { id }, body }));
        setStanding({ phase: 'resting', refusal: null, savedAt: new Date() });
        return isSameDraft(written.current, sent);
      } catch (error) {
        if (isScheduled(error)) await noteScheduled();
        setStanding((was) => ({ ...was, ...failureOf(error) }));
        return false;
      }
    },
    [id, keep, latest, noteScheduled],
  );
  const save = useCallback(
    (reason: SaveReason = 'asked') => {
      // Whoever takes it for a draft has not asked for a change of what is scheduled.
      const onlyDraft = reason === 'auto' || latest.current.status === 'draft';
      const mine = turn.current.then(() => saveOnce(reason, onlyDraft));
      turn.current = mine;
      return mine;
    },
    [latest, saveOnce],
  );

  const isChanged = !isSameDraft(draft, stored.draft);
  const { phase } = standing;
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
      setStanding({ phase: 'resting', refusal: null, savedAt: null });
    },
  };
}

const isScheduled = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'campaign_scheduled';

function failureOf(error: unknown): Pick<Standing, 'phase' | 'refusal'> {
  // The page says what that means for whoever writes.
  if (isScheduled(error)) return { phase: 'resting', refusal: null };
  if (error instanceof ApiError && error.code === 'changed_meanwhile')
    return { phase: 'overtaken', refusal: null };
  if (isRefusal(error)) return { phase: 'refused', refusal: words(error, 'It cannot be saved like this.') };
  return { phase: 'failing', refusal: null };
}
