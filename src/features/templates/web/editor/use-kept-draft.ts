import { useEffect, useMemo, useRef, useState } from 'react';
import { z } from 'zod';
import { useCurrentUser, useMay } from '#platform/web/current-user.ts';
import { type DraftName, forgetDraft, keepDraft, keptDraft, openDrafts } from '#platform/web/kept-drafts.ts';
import { templateCategories } from '../../rules/categories.ts';
import { templateDocument } from '../../rules/document/schema.ts';
import { type Draft, isSameDraft } from './content.ts';
import type { Saver, SaverState } from './saver.ts';

const keptContent = z.object({
  version: z.number().int().positive().nullable(),
  draft: z.object({
    name: z.string(),
    description: z.string(),
    category: z.enum(templateCategories),
    textContent: z.string(),
    content: z.discriminatedUnion('mode', [
      z.object({ mode: z.literal('html'), htmlContent: z.string() }),
      z.object({ mode: z.literal('mjml'), mjml: z.string() }),
      z.object({ mode: z.literal('visual'), document: templateDocument }),
    ]),
  }),
});

/** What was written here once and never saved. */
export interface Found {
  at: string;
  version: number | null;
  draft: Draft;
}

/** Reads what was kept under a name. Anything that is no draft is forgotten. */
function findDraft(name: DraftName, begin: Draft): Found | null {
  const kept = keptDraft(name);
  if (!kept) return null;
  const { data } = keptContent.safeParse(kept.content);
  if (data && !isSameDraft(data.draft, begin)) return { at: kept.at, ...data };
  forgetDraft(name);
  return null;
}

/** Milliseconds. A tab that dies takes no more than the words of this time. */
const every = 800;

/**
 * Keeps what is not saved yet in this browser, for this person in this workspace. Answers what was
 * left from another time, until somebody decides about it; meanwhile that is not written over.
 */
export function useKeptDraft(saver: Saver, { template, draft, isChanged }: SaverState) {
  const { id: userId, workspace } = useCurrentUser();
  const of = `template:${workspace.id}:${template?.id ?? 'new'}`;
  const name = useMemo(() => ({ person: userId, name: of }), [userId, of]);
  const mayWrite = useMay('editor');
  const [found, setFound] = useState(() => (mayWrite ? findDraft(name, draft) : null));
  const [isKept, setKept] = useState(false);
  const writing = useRef(new Writing());
  useEffect(() => openDrafts(), []);
  useEffect(() => {
    if (found || !mayWrite) return;
    const one = writing.current;
    if (isChanged)
      one.plan(name, () => {
        const kept = keepDraft(name, { version: saver.version, draft: saver.state().draft });
        setKept(kept);
      });
    else one.forget();
  }, [draft, isChanged, found, mayWrite, name, saver]);
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
    // A new template has another name once it is created.
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
