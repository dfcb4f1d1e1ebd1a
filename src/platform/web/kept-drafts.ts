/*
 * What somebody has written and not saved yet, kept in the browser in case its tab dies. Whoever
 * signs out leaves nothing behind.
 */

const prefix = 'unsaved:';
/** Written when somebody signs out, so that the browser's other windows hear of it. */
const signedOut = 'unsaved-forgotten';
const keptDays = 30;

/** Nothing is kept any more: somebody signs out. */
let isClosed = false;

export interface KeptDraft {
  /** When it was written. */
  at: string;
  /** As it was given. Older programs may have written it, so it must be checked. */
  content: unknown;
}

/** Begins to keep drafts. Answers how to stop. */
export function openDrafts(): () => void {
  isClosed = false;
  const hear = ({ key }: StorageEvent) => {
    if (key === signedOut) isClosed = true;
  };
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
}

const keysOfDrafts = (): string[] => Object.keys(window.localStorage).filter((key) => key.startsWith(prefix));

function parsed(text: string | null): KeptDraft | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    if (typeof value !== 'object' || value === null || !('at' in value) || !('content' in value)) return null;
    const { at, content } = value;
    return typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? { at, content } : null;
  } catch {
    return null;
  }
}

/** Oldest first. What nobody has come back for is forgotten. */
function allDrafts(): string[] {
  const oldest = Date.now() - keptDays * 86_400_000;
  const dated = keysOfDrafts().map((key) => {
    const draft = parsed(window.localStorage.getItem(key));
    return { key, at: draft ? Date.parse(draft.at) : 0 };
  });
  for (const { key, at } of dated) if (at < oldest) window.localStorage.removeItem(key);
  return dated
    .filter(({ at }) => at >= oldest)
    .sort((one, other) => one.at - other.at)
    .map(({ key }) => key);
}

/** Where the storage is full, the oldest drafts give way. Answers whether it is kept. */
export function keepDraft(name: string, content: unknown, now: Date = new Date()): boolean {
  if (isClosed) return false;
  const key = prefix + name;
  const text = JSON.stringify({ at: now.toISOString(), content });
  try {
    const others = allDrafts().filter((other) => other !== key);
    for (;;) {
      try {
        window.localStorage.setItem(key, text);
        return true;
      } catch {
        const oldest = others.shift();
        if (oldest === undefined) return false;
        window.localStorage.removeItem(oldest);
      }
    }
  } catch {
    // Storage is switched off.
    return false;
  }
}

export function keptDraft(name: string): KeptDraft | null {
  try {
    return allDrafts().includes(prefix + name) ? parsed(window.localStorage.getItem(prefix + name)) : null;
  } catch {
    return null;
  }
}

export function forgetDraft(name: string): void {
  try {
    window.localStorage.removeItem(prefix + name);
  } catch {
    // Storage is switched off, so there is none.
  }
}

/** Forgets all drafts of this browser, and keeps none until a screen is opened anew. */
export function forgetDrafts(): void {
  isClosed = true;
  try {
    for (const key of keysOfDrafts()) window.localStorage.removeItem(key);
    window.localStorage.setItem(signedOut, new Date().toISOString());
  } catch {
    // Storage is switched off, so there are none.
  }
}
