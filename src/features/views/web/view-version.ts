import { useEffect } from 'react';
import type { View, ViewState } from '../contract.ts';
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
    if (open) noteShown(open, state);
  });
}

/** Notes the version of the open view, if this is what `state` is based on. */
export function noteShown(open: View, state: ViewState): void {
  if (!versions.has(open.id) || sameState(open.state, state)) versions.set(open.id, open.updatedAt);
}

/**
 * Notes that this person has renamed or shared a view. What the screen shows is now based on the
 * new version, unless somebody has changed the view's state since it was opened here.
 */
export function noteRenamed(before: View, view: View): void {
  if (versions.get(view.id) === before.updatedAt && sameState(before.state, view.state))
    versions.set(view.id, view.updatedAt);
}

export const versionSeen = (viewId: number): string | undefined => versions.get(viewId);
