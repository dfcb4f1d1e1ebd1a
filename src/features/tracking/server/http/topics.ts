import { isPassing } from '#platform/server/work/stopped.ts';
import type { TrackingContext } from '../context.ts';
import type { Page } from '../pages/page.ts';
import { preferences } from '../pages/texts.ts';
import { readTopics, type Visitor } from './reader.ts';

/** The numbers in the fields of a form with this name. */
const numbersOf = (fields: URLSearchParams, name: string): number[] =>
  fields.getAll(name).flatMap((text) => (/^\d{1,15}$/.test(text) ? [Number(text)] : []));

/**
 * Puts the reader on the topics that are ticked and takes them off the others. Only topics count
 * that the page showed: one that was made public since is not ticked, and nobody has left it. While
 * an import holds the lists, what they leave is noted, and what they choose is refused: they are
 * told which topics that are.
 */
export async function chooseTopics(
  context: TrackingContext,
  visitor: Visitor,
  fields: URLSearchParams,
): Promise<Page> {
  const { workspaceId, send, standing } = visitor;
  const ticked = new Set(numbersOf(fields, 'topic'));
  const wanted = new Map(numbersOf(fields, 'shown').map((id) => [id, ticked.has(id)]));
  const choice = { mailingId: send.mailingId, topics: wanted };
  const changed = await context.turns
    .take(workspaceId, () =>
      context.db.asTenant(workspaceId, async (tx) => context.topics()?.choose(tx, workspaceId, send, choice)),
    )
    .catch(async (error) => {
      if (!isPassing(error)) throw error;
      const left = await context.db.asTenant(workspaceId, async (tx) =>
        context.topics()?.noteLeft(tx, workspaceId, send, choice),
      );
      if (!left?.length) throw error;
      return { joined: [], left };
    });
  const topics = await readTopics(context, visitor);
  const missed = topics.filter(({ id, isChosen }) => wanted.get(id) && !isChosen).map(({ name }) => name);
  const { pausedUntil } = standing;
  return preferences(visitor, { pausedUntil, topics, done: said({ ...changed, missed }) });
}

function said(changed: { joined?: string[]; left?: string[]; missed: string[] }): string {
  const { joined = [], left = [], missed } = changed;
  const sentences = [
    ...(joined.length > 0 ? [`You are on ${inWords(joined)} now.`] : []),
    ...(left.length > 0 ? [`You are no longer on ${inWords(left)}.`] : []),
    ...(missed.length > 0
      ? [`You are not on ${inWords(missed)} yet: that could not be done just now. Try again in a minute.`]
      : []),
  ];
  return sentences.join(' ') || 'Nothing was changed.';
}

const inWords = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names.map((name) => `“${name}”`));
