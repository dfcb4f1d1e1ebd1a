import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { SegmentRules } from '../contract/segment-rules.ts';
import { type Draft, draftOf, isFinished, rulesIn, rulesOf } from './draft.ts';
import type { Edit } from './edit.ts';

export interface DraftOnScreen {
  draft: Draft;
  edit: Edit;
  /** What has just happened, for screen readers. */
  said: string;
  /** Goes around the rules: the focus is looked for in it. */
  place: RefObject<HTMLDivElement | null>;
  /** Unfinished rules are marked. */
  marked: boolean;
  /**
   * The rules to save. Null when one has no value yet: then it is marked and has the focus. Left
   * out, it would make the list longer than it is meant to be.
   */
  finished: () => SegmentRules | null;
}

/** Rules that are edited on a screen, with the focus where somebody would look for it. */
export function useDraft(initial: SegmentRules): DraftOnScreen {
  const [draft, setDraft] = useState(() => draftOf(initial));
  const [said, setSaid] = useState('');
  const [marked, setMarked] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | undefined>(undefined);
  const known = useRef(new Set(rulesIn(draft).map(({ key }) => key)));
  const edit = useCallback<Edit>((change, { focus, said: words = '' } = {}) => {
    wanted.current = focus;
    setSaid(words);
    setDraft(change);
  }, []);
  useEffect(() => {
    const keys = rulesIn(draft).map(({ key }) => key);
    const added = keys.find((key) => !known.current.has(key));
    known.current = new Set(keys);
    const isLost = document.activeElement === null || document.activeElement === document.body;
    const control =
      wanted.current === 'added' ? `field ${added}` : (wanted.current ?? (isLost ? 'add root' : undefined));
    wanted.current = undefined;
    if (control !== undefined) focusOn(place.current, control);
  }, [draft]);
  const finished = () => {
    const open = rulesIn(draft).find((rule) => !isFinished(rule));
    setMarked(open !== undefined);
    if (open) focusOn(place.current, `field ${open.key}`);
    return open ? null : rulesOf(draft);
  };
  return { draft, edit, said, place, marked, finished };
}

const focusOn = (place: HTMLElement | null, control: string): void =>
  place?.querySelector<HTMLElement>(`[data-control="${control}"]`)?.focus();
