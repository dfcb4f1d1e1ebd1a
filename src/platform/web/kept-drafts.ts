/*
 * What somebody has written and not saved yet, kept in the browser in case its tab dies or their
 * session ends. Each draft belongs to a person, and is read only for them: several people may use a
 * browser. Whoever signs out is asked whether theirs stay.
 */

const prefix = 'unsaved:';
/** Written when somebody forgets theirs, so that the browser's other windows hear of it. */
const forgotten = 'unsaved-forgotten';
const keptDays = 30;

/** Nothing of this person is kept any more: they have signed out and left nothing behind. */
let closedFor: string | null = null;

/** Whose draft it is, by the person's id, and what it is of. */
export interface DraftName {
  person: string;
  name: string;
}

const ofPerson = (person: string): string => `${prefix}${person}:`;
const keyOf = ({ person, name }: DraftName): string => ofPerson(person) + name;

export interface KeptDraft {
  /** When it was written. */
  at: string;
  /** As it was given. Older programs may have written it, so it must be checked. */
  content: unknown;
}

/** Begins to keep drafts. Answers how to stop. */
export function openDrafts(): () => void {
  closedFor = null;
  const hear = ({ key, newValue }: StorageEvent) => {
    if (key === forgotten) closedFor = newValue?.split(' ')[0] ?? null;
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

/**
 * Where the storage is full, the oldest drafts give way, unless all of them together make too
 * little room. Answers whether it is kept.
 */
export function keepDraft(name: DraftName, content: unknown, now: Date = new Date()): boolean {
  if (closedFor === name.person) return false;
  const key = keyOf(name);
  const text = JSON.stringify({ at: now.toISOString(), content });
  try {
    const others = allDrafts().filter((other) => other !== key);
    /** The newest first: another window may have taken room meanwhile. */
    const gone: [key: string, text: string][] = [];
    for (;;) {
      try {
        window.localStorage.setItem(key, text);
        return true;
      } catch {
        const oldest = others.shift();
        if (oldest === undefined) break;
        gone.unshift([oldest, window.localStorage.getItem(oldest) ?? '']);
        window.localStorage.removeItem(oldest);
      }
    }
    for (const [other, kept] of gone) window.localStorage.setItem(other, kept);
    return false;
  } catch {
    // Storage is switched off.
    return false;
  }
}

export function keptDraft(name: DraftName): KeptDraft | null {
  try {
    const key = keyOf(name);
    return allDrafts().includes(key) ? parsed(window.localStorage.getItem(key)) : null;
  } catch {
    return null;
  }
}

/**
 * How many drafts may be kept of one thing: what is undecided keeps its place, and what is written
 * meanwhile takes the next one.
 */
const places = 6;

const placesOf = ({ person, name }: DraftName): DraftName[] =>
  Array.from({ length: places }, (_, place) => ({ person, name: place === 0 ? name : `${name}+${place}` }));

/** What is kept of one thing, the newest first. */
export const keptDraftsOf = (name: DraftName): (KeptDraft & { name: DraftName })[] =>
  placesOf(name)
    .flatMap((place) => {
      const kept = keptDraft(place);
      return kept ? [{ ...kept, name: place }] : [];
    })
    .sort((one, other) => Date.parse(other.at) - Date.parse(one.at));

/** A name for one more draft of the same thing. Null: all its places are taken. */
export const freeName = (name: DraftName): DraftName | null =>
  placesOf(name).find((place) => keptDraft(place) === null) ?? null;

/** How many drafts of a person are kept. */
export function countDrafts(person: string): number {
  try {
    return allDrafts().filter((key) => key.startsWith(ofPerson(person))).length;
  } catch {
    return 0;
  }
}

export function forgetDraft(name: DraftName): void {
  try {
    window.localStorage.removeItem(keyOf(name));
  } catch {
    // Storage is switched off, so there is none.
  }
}

/** Forgets all drafts of a person, and keeps none until a screen is opened anew. */
export function forgetDrafts(person: string): void {
  closedFor = person;
  try {
    for (const key of keysOfDrafts())
      if (key.startsWith(ofPerson(person))) window.localStorage.removeItem(key);
    window.localStorage.setItem(forgotten, `${person} ${new Date().toISOString()}`);
  } catch {
    // Storage is switched off, so there are none.
  }
}
