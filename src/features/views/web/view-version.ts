import { useEffect } from 'react';
import { sameState } from '../rules.ts';
import type { ViewPlace } from './view-place.ts';

/** Of each view, the version that this page showed when it was opened here, or saved here last. */
const versions = new Map<number, string>();

/**
 * Keeps which version of the open view the screen's state began as. The list of views is read again
 * all the time; what others have saved meanwhile is the view's, and not what this person has seen.
 */
export function useVersionSeen({ open, state }: ViewPlace): void {
  useEffect(() => {
    if (!open) return;
    if (!versions.has(open.id) || sameState(open.state, state)) versions.set(open.id, open.updatedAt);
  });
}

export const versionSeen = (viewId: number): string | undefined => versions.get(viewId);
