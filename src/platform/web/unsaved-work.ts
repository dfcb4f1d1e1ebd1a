/*
 * What somebody is writing on this page and has not saved. Screens say it here, so that signing out
 * can save it first, or ask.
 */

export interface UnsavedWork {
  /** What has changes: “The template”. */
  noun: string;
  isChanged: boolean;
  /** Answers whether all of it is saved now. Absent: it is saved only on purpose. */
  save?: (() => Promise<boolean>) | undefined;
  /** Keeps it in this browser for its writer. Answers whether it is kept. Absent: it cannot be. */
  keep?: (() => boolean) | undefined;
  /** Lets the page go without another question. */
  letGo: () => void;
}

const works = new Set<UnsavedWork>();

/** Says that a screen has something to write. Answers how to say that it is closed. */
export function noteWork(work: UnsavedWork): () => void {
  works.add(work);
  return () => works.delete(work);
}

/**
 * The same for what is no screen of its own, such as a field, and has the browser ask before the
 * page goes with it.
 */
export function holdWork(work: Pick<UnsavedWork, 'noun' | 'isChanged' | 'save'>): () => void {
  let isLet = false;
  const ask = (event: BeforeUnloadEvent) => {
    if (work.isChanged && !isLet) event.preventDefault();
  };
  const held = {
    noun: work.noun,
    save: work.save,
    get isChanged() {
      return work.isChanged;
    },
    letGo: () => {
      isLet = true;
    },
  };
  works.add(held);
  window.addEventListener('beforeunload', ask);
  return () => {
    works.delete(held);
    window.removeEventListener('beforeunload', ask);
  };
}

/** Saving is not waited for any longer, in milliseconds: the network may be gone. */
const longestSave = 10_000;

/** Saves what can be saved, and keeps what can be kept of the rest. Answers what would be lost. */
export async function saveWork(): Promise<string[]> {
  const changed = [...works].filter(({ isChanged }) => isChanged);
  const left = await Promise.all(
    changed.map(async (work) => ((await isSavedInTime(work.save)) || work.keep?.() ? [] : [work.noun])),
  );
  return left.flat();
}

/** Saves, for ten seconds at most. Answers whether all of it is saved by then. Never rejects. */
export async function isSavedInTime(save: UnsavedWork['save']): Promise<boolean> {
  if (!save) return false;
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, longestSave, false));
  return Promise.race([save().catch(() => false), late]);
}

/** The page is about to go, and everybody has been asked. */
export function letGoOfWork(): void {
  for (const { letGo } of works) letGo();
}
