import { useEffect, useMemo, useRef, useState } from 'react';
import { useCurrentUser, useMay } from './current-user.ts';
import { DraftWriter } from './draft-writer.ts';
import { type DraftName, forgetDraft, keptDraftsOf, openDrafts } from './kept-drafts.ts';

/** What was written here once and never saved. */
export interface Found<Content> {
  at: string;
  content: Content;
}

/** The same with the name under which it is kept. Null: this page alone holds it. */
interface Left<Content> extends Found<Content> {
  name: DraftName | null;
}

interface Options<Content> {
  /** What it is of: `campaign`. */
  kind: string;
  id: number | 'new';
  /** What is written. It is kept anew whenever this is another object. */
  draft: unknown;
  isChanged: boolean;
  /** What is kept of it. */
  contentNow: () => Content;
  /** Reads what was kept. Null: this program does not understand it, and leaves it alone. */
  read: (kept: unknown) => Content | null;
  /** Whether what was kept is stored, or on the screen, already. Then it is of no use. */
  isStored: (kept: Content) => boolean;
}

/** For whoever reads that something is not saved. */
export const keptWords = 'What you write is kept in this browser.';

/** Reads what was kept of one thing, the newest first. What is of no use is forgotten. */
function findDrafts<Content>(
  of: DraftName,
  { read, isStored }: Pick<Options<Content>, 'read' | 'isStored'>,
): Left<Content>[] {
  return keptDraftsOf(of).flatMap(({ at, name, content: kept }) => {
    const content = read(kept);
    if (content === null) return [];
    if (!isStored(content)) return [{ at, name, content }];
    forgetDraft(name);
    return [];
  });
}

/**
 * Keeps what is not saved yet in this browser, for this person in this workspace. Answers what was
 * left from another time, until somebody decides about it. What is written meanwhile is kept beside
 * it.
 */
export function useKeptDraft<Content>(options: Options<Content>) {
  const { kind, id, draft, isChanged, contentNow } = options;
  const { id: userId, workspace } = useCurrentUser();
  const name = `${kind}:${workspace.id}:${id}`;
  const of = useMemo(() => ({ person: userId, name }), [userId, name]);
  const mayWrite = useMay('editor');
  const [left, setLeft] = useState(() => (mayWrite ? findDrafts(of, options) : []));
  const [leftOf] = useState(of);
  const [isKept, setKept] = useState(false);
  const writing = useRef(new DraftWriter());
  const now = useRef(contentNow);
  now.current = contentNow;
  useEffect(() => openDrafts(), []);
  useEffect(() => {
    if (!mayWrite) return;
    const one = writing.current;
    if (isChanged) one.plan(of, () => now.current(), setKept);
    else one.forget();
  }, [draft, isChanged, mayWrite, of]);
  useEffect(() => {
    const one = writing.current;
    const hurry = () => one.hurry();
    window.addEventListener('pagehide', hurry);
    document.addEventListener('visibilitychange', hurry);
    return () => {
      window.removeEventListener('pagehide', hurry);
      document.removeEventListener('visibilitychange', hurry);
      hurry();
    };
  }, []);
  // What was left of the new one is not of the one that was created here. It waits for the next.
  const [first, ...others] = leftOf === of ? left : [];
  return {
    found: (first ?? null) as Found<Content> | null,
    isKept,
    /** What was found is written on from here. What stood here unsaved waits in its place. */
    restore: () => {
      if (!first) return;
      writing.current.hurry();
      const before = writing.current.goOnIn(of, first);
      setLeft(isChanged ? [{ ...before, content: now.current() }, ...others] : others);
    },
    discard: () => {
      if (first?.name) forgetDraft(first.name);
      setLeft(others);
    },
    drop: () => writing.current.forget(),
    /** Writes what is not saved at once. Answers whether this browser keeps it as it stands. */
    keep: (): boolean => writing.current.hurry(),
  };
}
