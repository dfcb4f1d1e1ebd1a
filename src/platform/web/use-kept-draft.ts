import { useEffect, useMemo, useRef, useState } from 'react';
import { useCurrentUser, useMay } from './current-user.ts';
import { type DraftName, forgetDraft, keepDraft, keptDraft, openDrafts } from './kept-drafts.ts';

/** What was written here once and never saved. */
export interface Found<Content> {
  at: string;
  content: Content;
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
  /** Reads what was kept. Null: it is no draft, or says what is stored already. */
  read: (kept: unknown) => Content | null;
}

/** For whoever reads that something is not saved. */
export const keptWords = 'What you write is kept in this browser.';

/** Reads what was kept under a name. Anything that is of no use is forgotten. */
function findDraft<Content>(name: DraftName, read: Options<Content>['read']): Found<Content> | null {
  const kept = keptDraft(name);
  if (!kept) return null;
  const content = read(kept.content);
  if (content !== null) return { at: kept.at, content };
  forgetDraft(name);
  return null;
}

/** Milliseconds. A tab that dies takes no more than the words of this time. */
const every = 800;

/**
 * Keeps what is not saved yet in this browser, for this person in this workspace. Answers what was
 * left from another time, until somebody decides about it; meanwhile that is not written over.
 */
export function useKeptDraft<Content>({ kind, id, draft, isChanged, contentNow, read }: Options<Content>) {
  const { id: userId, workspace } = useCurrentUser();
  const of = `${kind}:${workspace.id}:${id}`;
  const name = useMemo(() => ({ person: userId, name: of }), [userId, of]);
  const mayWrite = useMay('editor');
  const [found, setFound] = useState(() => (mayWrite ? findDraft(name, read) : null));
  const [isKept, setKept] = useState(false);
  const writing = useRef(new Writing());
  const now = useRef(contentNow);
  now.current = contentNow;
  useEffect(() => openDrafts(), []);
  useEffect(() => {
    if (found || !mayWrite) return;
    const one = writing.current;
    if (isChanged) one.plan(name, () => setKept(keepDraft(name, now.current())));
    else one.forget();
  }, [draft, isChanged, found, mayWrite, name]);
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
  const decide = () => {
    forgetDraft(name);
    setFound(null);
  };
  return {
    found,
    isKept,
    decide,
    drop: () => writing.current.forget(),
    /** Writes what is not saved at once. Answers whether this browser keeps it. */
    keep: (): boolean => {
      writing.current.hurry();
      return keptDraft(name) !== null;
    },
  };
}

/** Writes now and then while somebody types, and at once when the page goes. */
class Writing {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #write: (() => void) | undefined;
  /** The name under which this page has written. */
  #name: DraftName | undefined;

  plan(name: DraftName, write: () => void): void {
    // What is new has another name once it is created.
    if (this.#name !== undefined && this.#name !== name) forgetDraft(this.#name);
    this.#name = name;
    this.#write = write;
    this.#timer ??= setTimeout(() => this.hurry(), every);
  }

  hurry(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#write?.();
    this.#write = undefined;
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#write = undefined;
    if (this.#name !== undefined) forgetDraft(this.#name);
    this.#name = undefined;
  }
}
