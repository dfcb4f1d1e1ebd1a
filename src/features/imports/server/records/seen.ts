import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { BodyOf } from '#platform/shared/contract.ts';
import type { ImportOptions, runImport, StoredReading } from '../../contract.ts';

export interface Choices {
  options: ImportOptions;
  reading: StoredReading | null;
}

/**
 * Stands for the choices that a check is made with: the options without list, tags and basis, and
 * the reading. Both as the database answers them, so that their keys have one order.
 */
export function choicesHashOf({ options, reading }: Choices): string {
  const { listId: _, tagIds: __, basis: ___, ...rest } = options;
  const text = JSON.stringify([rest, reading ?? {}]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

type Seen = NonNullable<BodyOf<typeof runImport>['seen']>;

/** Whether the choices are still those that somebody has looked at. */
export const isAsSeen = (choices: Choices, seen: Seen): boolean =>
  seen.choicesHash === choicesHashOf(choices) && isDeepStrictEqual(groupsOf(choices.options), groupsOf(seen));

const groupsOf = ({ listId, tagIds, basis }: Partial<Omit<Seen, 'choicesHash'>>) => ({
  listId: listId ?? null,
  tagIds: [...new Set(tagIds)].sort((one, other) => one - other),
  basis: basis ? { source: null, givenOn: null, ...basis } : null,
});
