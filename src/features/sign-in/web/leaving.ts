import { shownPerson } from '#platform/web/api.ts';
import { countDrafts, forgetDrafts } from '#platform/web/kept-drafts.ts';
import { letGoOfWork, saveWork } from '#platform/web/unsaved-work.ts';
import { endSession } from './session.ts';

/** What is not saved when somebody leaves their account or their workspace. */
export interface Left {
  from: 'account' | 'workspace';
  /** What is on the screen and would be lost: “The segment”. */
  lost: readonly string[];
  /** How many drafts this browser keeps for them. Whoever only leaves a workspace is not asked. */
  drafts: number;
}

/** `keep`: drafts stay in this browser for their writer. */
export type Answer = 'stay' | 'keep' | 'discard';

type Ask = (left: Left) => Promise<Answer>;
let ask: Ask | undefined;
let isThere = Promise.withResolvers<void>();

/** Whoever asks comes a moment after the page. Where nobody does, drafts stay. In milliseconds. */
const longestWait = 5_000;

/** Asks where there is something to ask. */
async function answerTo(left: Left): Promise<Answer> {
  if (left.lost.length === 0 && left.drafts === 0) return 'keep';
  const late = new Promise<void>((resolve) => setTimeout(resolve, longestWait));
  await Promise.race([isThere.promise, late]);
  return (await ask?.(left)) ?? 'keep';
}

/** Says who asks. Answers how to stop. */
export function onLeaving(question: Ask): () => void {
  ask = question;
  isThere.resolve();
  return () => {
    if (ask !== question) return;
    ask = undefined;
    isThere = Promise.withResolvers();
  };
}

/** Two at once would ask two questions in one place, and move twice. */
let isUnderWay = false;

/**
 * Leaves by `steps`, which answer whether the page is to go. Answers false where it stays, and at
 * once while somebody is leaving already.
 */
async function leave(steps: () => Promise<boolean>): Promise<boolean> {
  if (isUnderWay) return false;
  isUnderWay = true;
  let goes = false;
  try {
    goes = await steps();
  } finally {
    isUnderWay = goes;
  }
  if (goes) beginAnew();
  return goes;
}

/** Loads the page anew at its start, so that nothing of before stays in memory. */
function beginAnew(): void {
  // A browser may keep the page that goes, and show it again on the way back.
  window.addEventListener('pagehide', () => (isUnderWay = false), { once: true });
  letGoOfWork();
  window.location.assign('/');
}

/**
 * Saves what is written, asks about what cannot be saved, and ends the session. Does nothing while
 * somebody is leaving already.
 */
export async function signOut(): Promise<void> {
  await leave(async () => {
    const person = shownPerson();
    const lost = await saveWork();
    const drafts = person === undefined ? 0 : countDrafts(person);
    const answer = await answerTo({ from: 'account', lost, drafts });
    if (answer === 'stay') return false;
    await endSession();
    if (answer === 'discard' && person !== undefined) forgetDrafts(person);
    return true;
  });
}

/**
 * Saves what is written, asks about what cannot be saved, and moves the session to another
 * workspace by `move`. Answers false where somebody stays, and at once while they are leaving
 * already. Fails as `move` does: then everything is as it was.
 */
export const enterWorkspace = (move: () => Promise<unknown>): Promise<boolean> =>
  leave(async () => {
    const lost = await saveWork();
    if ((await answerTo({ from: 'workspace', lost, drafts: 0 })) === 'stay') return false;
    await move();
    return true;
  });
