import { useMemo, useSyncExternalStore } from 'react';
import { shownPerson, shownWorkspace } from '#platform/web/api.ts';
import type { LeftText } from '#platform/web/components/editable-text.tsx';
import { useCurrentUser } from '#platform/web/current-user.ts';
import { holdWork } from '#platform/web/unsaved-work.ts';

/** By the field's name, as `fieldsThatDiffer` writes it: `notes`, `attributes.phone`. */
type LeftTexts = Readonly<Record<string, LeftText>>;

/**
 * By person, workspace and contact. Not beside what is read: that goes when a session ends by
 * itself. Whoever signs out loads the page anew, and nothing stays: they are asked before.
 */
const kept = new Map<string, LeftTexts>();
const watchers = new Set<() => void>();
const none: LeftTexts = {};

function watch(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

const left = {
  noun: 'What you wrote about a contact',
  /** What somebody else has left here before is not theirs to know of. */
  get isChanged() {
    return [...kept.keys()].some((key) => key.startsWith(`${shownPerson()}:`));
  },
};
let letGo: (() => void) | undefined;

/** Nothing that is kept goes with the page unless its writer is asked. */
function hold(): void {
  if (kept.size > 0) letGo ??= holdWork(left);
  else {
    letGo?.();
    letGo = undefined;
  }
}

function keep(key: string, field: string, left: LeftText | null): void {
  const { [field]: before, ...others } = kept.get(key) ?? none;
  if (before === undefined && left === null) return;
  const next = left ? { ...others, [field]: left } : others;
  if (Object.keys(next).length > 0) kept.set(key, next);
  else kept.delete(key);
  hold();
  for (const tell of watchers) tell();
}

function useKey(id: number): string {
  const person = useCurrentUser();
  return `${person.id}:${person.workspace.id}:${id}`;
}

/** What was typed into a contact's fields and could not be saved when they were left. */
export function useLeftTexts(id: number): LeftTexts {
  const key = useKey(id);
  return useSyncExternalStore(watch, () => kept.get(key) ?? none);
}

/**
 * Keeps such a text until it is saved or given up. Null: it is. Answers whether the page is still
 * its writer's: somebody else may have signed in meanwhile.
 */
export function useKeepText(id: number): (field: string, left: LeftText | null) => boolean {
  const key = useKey(id);
  return useMemo(
    () => (field, left) => {
      keep(key, field, left);
      return key === `${shownPerson()}:${shownWorkspace()}:${id}`;
    },
    [key, id],
  );
}
