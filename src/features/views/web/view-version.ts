import { useEffect } from 'react';
import { sameState } from '../rules.ts';
import type { ViewPlace } from './view-place.ts';

/** For each view, the version that this page last showed on opening it, or last saved. */
const versions = new Map<number, string>();

/**
 * Remembers the version of the open view that the screen's state is based on. The list of views is
 * reread all the time. Changes saved by others meanwhile are not what this person has seen.
 */
export function useVersionSeen({ open, state }: ViewPlace): void {
  useEffect(() => {
    if (!open) return;
    if (!versions.has(open.id) || sameState(open.state, state)) versions.set(open.id, open.updatedAt);
  });
}

export const versionSeen = (viewId: number): string | undefined => versions.get(viewId);
