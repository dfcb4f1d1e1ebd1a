import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { call, queryOptionsFor } from '#platform/web/api.ts';
import { showNewer } from '#platform/web/query-client.ts';
import { type Campaign, getCampaign } from '../../contract.ts';
import { type Draft, draftOf } from './draft.ts';

/** A campaign as it is stored, as far as this page knows. */
export interface Stored extends Pick<Campaign, 'updatedAt' | 'status' | 'sendAt'> {
  draft: Draft;
}

const storedAs = (draft: Draft, { updatedAt, status, sendAt }: Campaign): Stored => ({
  ...{ draft, updatedAt, status, sendAt },
});

/** What is stored of a campaign that is being written, and what this page hears of it. */
export function useStored(campaign: Campaign) {
  const { id } = campaign;
  const queryClient = useQueryClient();
  const [stored, setStored] = useState(() => storedAs(draftOf(campaign), campaign));
  // Saves follow each other faster than the page is drawn.
  const latest = useRef(stored);
  const put = useCallback((next: Stored) => {
    latest.current = next;
    setStored(next);
  }, []);
  /** The server has answered with what is stored now. */
  const keep = useCallback(
    (draft: Draft, saved: Campaign) => {
      put(storedAs(draft, saved));
      showNewer(queryClient, queryOptionsFor(getCampaign, { params: { id } }).queryKey, saved);
    },
    [queryClient, id, put],
  );
  /** Somebody has scheduled it. Reads for when, and leaves what this page has written alone. */
  const noteScheduled = useCallback(async () => {
    put({ ...latest.current, status: 'scheduled', sendAt: null });
    try {
      const { status, sendAt } = await call(getCampaign, { params: { id } });
      put({ ...latest.current, status, sendAt });
    } catch {
      // The page says that it is scheduled, without the time.
    }
  }, [id, put]);
  /** What is written goes on from what was stored then. Somebody may have changed it since. */
  const goBackTo = useCallback((updatedAt: string) => put({ ...latest.current, updatedAt }), [put]);
  return { stored, latest, keep, noteScheduled, goBackTo };
}
