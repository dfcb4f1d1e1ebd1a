import { type RefObject, useCallback, useRef, useState } from 'react';
import type { BodyOf } from '#platform/shared/contract.ts';
import { ApiError, call, isRefusal, words } from '#platform/web/api.ts';
import { updateCampaign } from '../../contract.ts';
import { bodyOf, type Draft, isSameDraft } from './draft.ts';
import type { useStored } from './use-stored.ts';

/** `overtaken`: somebody else has changed it, and nothing is saved over that by itself. */
export type Phase = 'resting' | 'saving' | 'failing' | 'refused' | 'overtaken';

/** `auto`: nobody asked for it. `over`: over what somebody else has saved. */
export type SaveReason = 'auto' | 'asked' | 'over';

export interface Standing {
  phase: Phase;
  refusal: string | null;
  savedAt: Date | null;
  /** Something was sent without an answer. It may have been stored. */
  isUnsure: boolean;
}

interface Sending {
  draft: Draft;
  body: BodyOf<typeof updateCampaign>;
}

const rested: Standing = { phase: 'resting', refusal: null, savedAt: null, isUnsure: false };

/** Sends what is written, one save after the other, and says how that went. */
export function useSaves(id: number, store: ReturnType<typeof useStored>, written: RefObject<Draft>) {
  const { latest, keep, noteScheduled } = store;
  const [standing, setStanding] = useState(rested);
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  const unsure = useRef<Sending | null>(null);

  const send = useCallback(
    async (sending: Sending): Promise<boolean> => {
      setStanding((was) => ({ ...was, phase: 'saving', refusal: null }));
      try {
        keep(sending.draft, await call(updateCampaign, { params: { id }, body: sending.body }));
        unsure.current = null;
        setStanding({ ...rested, savedAt: new Date() });
        return true;
      } catch (error) {
        if (isScheduled(error)) await noteScheduled();
        if (mayBeStored(error)) unsure.current = sending;
        else if (!isPassing(error)) unsure.current = null;
        const isUnsure = unsure.current !== null;
        setStanding((was) => ({ ...was, ...failureOf(error), isUnsure }));
        return false;
      }
    },
    [id, keep, noteScheduled],
  );
  const saveOnce = useCallback(
    async (reason: SaveReason, onlyDraft: boolean): Promise<boolean> => {
      // What may have been stored goes first, as it was: it is the same again, or it is not there.
      if (unsure.current && !(await send(unsure.current))) return false;
      const draft = written.current;
      const { draft: before, updatedAt } = latest.current;
      if (isSameDraft(draft, before)) return true;
      const body = { ...bodyOf(draft), ...(reason === 'over' ? {} : { updatedAt }), onlyDraft };
      const problem = updateCampaign.body.safeParse(body).error?.issues[0]?.message;
      if (problem !== undefined) {
        setStanding((was) => ({ ...was, phase: 'refused', refusal: problem }));
        return false;
      }
      return (await send({ draft, body })) && isSameDraft(written.current, draft);
    },
    [latest, send, written],
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
  /** What was written here counts no more. */
  const rest = () => {
    unsure.current = null;
    setStanding(rested);
  };
  return { standing, save, rest };
}

const isScheduled = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'campaign_scheduled';

/** No answer, or a failure of the server: it may have done what it was asked. */
const mayBeStored = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

/** Says nothing of what was sent: nobody is signed in, or there were too many calls. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && [401, 408, 429].includes(error.status);

function failureOf(error: unknown): Pick<Standing, 'phase' | 'refusal'> {
  // The page says what that means for whoever writes.
  if (isScheduled(error)) return { phase: 'resting', refusal: null };
  if (error instanceof ApiError && error.code === 'changed_meanwhile')
    return { phase: 'overtaken', refusal: null };
  if (isRefusal(error)) return { phase: 'refused', refusal: words(error, 'It cannot be saved like this.') };
  return { phase: 'failing', refusal: null };
}
