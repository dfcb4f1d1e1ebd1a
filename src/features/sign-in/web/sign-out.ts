import { shownPerson } from '#platform/web/api.ts';
import { countDrafts, forgetDrafts } from '#platform/web/kept-drafts.ts';
import { letGoOfWork, saveWork } from '#platform/web/unsaved-work.ts';
import { endSession } from './session.ts';

/** What is not saved when somebody signs out. */
export interface Left {
  /** What is on the screen and would be lost: “The segment”. */
  lost: readonly string[];
  /** How many drafts this browser keeps for them. */
  drafts: number;
}

/** `keep`: drafts stay in this browser for their writer. */
export type Answer = 'stay' | 'keep' | 'discard';

type Ask = (left: Left) => Promise<Answer>;
let ask: Ask | undefined;
let isThere = Promise.withResolvers<void>();

/** Whoever asks comes a moment after the page. Where nobody does, drafts stay. In milliseconds. */
const longestWait = 5_000;

async function whoAsks(): Promise<Ask | undefined> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, longestWait));
  await Promise.race([isThere.promise, late]);
  return ask;
}

/** Says who asks. Answers how to stop. */
export function onSigningOut(question: Ask): () => void {
  ask = question;
  isThere.resolve();
  return () => {
    if (ask !== question) return;
    ask = undefined;
    isThere = Promise.withResolvers();
  };
}

/**
 * Saves what is written, asks about what cannot be saved, ends the session, and reloads the page,
 * so that nothing of the account stays in memory.
 */
export async function signOut(): Promise<void> {
  const person = shownPerson();
  const lost = await saveWork();
  const drafts = person === undefined ? 0 : countDrafts(person);
  const question = lost.length > 0 || drafts > 0 ? await whoAsks() : undefined;
  const answer = (await question?.({ lost, drafts })) ?? 'keep';
  if (answer === 'stay') return;
  await endSession();
  if (answer === 'discard' && person !== undefined) forgetDrafts(person);
  letGoOfWork();
  window.location.assign('/');
}
