import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, call, isRefusal, queryOptionsFor, words } from '#platform/web/api.ts';
import { showNewer } from '#platform/web/query-client.ts';
import { type Campaign, getCampaign, updateCampaign } from '../../contract.ts';
import { useRefreshCampaigns } from '../use-campaign-steps.ts';
import { bodyOf, type Draft, draftOf, isSameDraft } from './draft.ts';

/** Milliseconds after the last change, and before another try. */
const pause = 2_500;
const retry = 5_000;

/** `overtaken`: somebody else has changed it, and nothing is saved over that by itself. */
export type Phase = 'resting' | 'saving' | 'failing' | 'refused' | 'overtaken';

interface Standing {
  phase: Phase;
  refusal: string | null;
  savedAt: Date | null;
}

export interface Editing extends Standing {
  draft: Draft;
  isChanged: boolean;
  change: (patch: Partial<Draft>) => void;
  /** Answers whether all that is written is stored now. */
  save: (isOver?: boolean) => Promise<boolean>;
  /** Goes on from what is stored. What is not saved is gone. */
  takeStored: () => Promise<void>;
}

/**
 * A campaign being written. Drafts save themselves a moment after each change. A scheduled one may
 * leave at any moment, so half a sentence of it is saved only by somebody who asks for it.
 */
export function useCampaignDraft(campaign: Campaign): Editing {
  const { id, status } = campaign;
  const queryClient = useQueryClient();
  const refresh = useRefreshCampaigns();
  const [draft, setDraft] = useState(() => draftOf(campaign));
  const [stored, setStored] = useState(() => ({ draft, updatedAt: campaign.updatedAt }));
  const [standing, setStanding] = useState<Standing>({ phase: 'resting', refusal: null, savedAt: null });
  const now = useRef({ draft, stored });
  now.current.draft = draft;
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  const keep = useCallback(
    (kept: Draft, saved: Campaign) => {
      now.current.stored = { draft: kept, updatedAt: saved.updatedAt };
      setStored(now.current.stored);
      showNewer(queryClient, queryOptionsFor(getCampaign, { params: { id } }).queryKey, saved);
    },
    [queryClient, id],
  );

  const saveOnce = useCallback(
    async (isOver: boolean): Promise<boolean> => {
      const { draft: sent, stored: before } = now.current;
      if (isSameDraft(sent, before.draft)) return true;
      const body = { ...bodyOf(sent), ...(isOver ? {} : { updatedAt: before.updatedAt }) };
      const problem = updateCampaign.body.safeParse(body).error?.issues[0]?.message;
      if (problem !== undefined) {
        setStanding((was) => ({ ...was, phase: 'refused', refusal: problem }));
        return false;
      }
      setStanding((was) => ({ ...was, phase: 'saving', refusal: null }));
      try {
        keep(sent, await call(updateCampaign, { params: { id }, body }));
        setStanding({ phase: 'resting', refusal: null, savedAt: new Date() });
        return isSameDraft(now.current.draft, sent);
      } catch (error) {
        setStanding((was) => ({ ...was, ...failureOf(error) }));
        return false;
      }
    },
    [id, keep],
  );
  const save = useCallback(
    (isOver = false) => {
      const mine = turn.current.then(() => saveOnce(isOver));
      turn.current = mine;
      return mine;
    },
    [saveOnce],
  );

  const isChanged = !isSameDraft(draft, stored.draft);
  const { phase } = standing;
  const mayByItself = status === 'draft' && phase !== 'overtaken' && phase !== 'saving';
  useEffect(() => {
    if (!isChanged || !mayByItself) return;
    const timer = setTimeout(() => void save(), phase === 'failing' ? retry : pause);
    return () => clearTimeout(timer);
  }, [draft, isChanged, mayByItself, phase, save]);
  // Other screens show it too, once it is left.
  useEffect(() => () => void refresh(), [refresh]);

  return {
    ...standing,
    draft,
    isChanged,
    save,
    change: (patch) => setDraft((before) => ({ ...before, ...patch })),
    takeStored: async () => {
      const theirs = await call(getCampaign, { params: { id } });
      const read = draftOf(theirs);
      keep(read, theirs);
      setDraft(read);
      setStanding({ phase: 'resting', refusal: null, savedAt: null });
    },
  };
}

function failureOf(error: unknown): Pick<Standing, 'phase' | 'refusal'> {
  if (error instanceof ApiError && error.code === 'changed_meanwhile')
    return { phase: 'overtaken', refusal: null };
  if (isRefusal(error)) return { phase: 'refused', refusal: words(error, 'It cannot be saved like this.') };
  return { phase: 'failing', refusal: null };
}
