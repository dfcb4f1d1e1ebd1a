import { listKind } from '#features/lists/server/index.ts';
import type { ChosenGroups } from '#features/memberships/server/index.ts';
import { tagKind } from '#features/tags/server/index.ts';
import type { ImportOptions } from '../contract.ts';

/** The list and the tags that an import adds its contacts to. */
export const chosenGroups = ({
  listId,
  tagIds = [],
}: Pick<ImportOptions, 'listId' | 'tagIds'>): ChosenGroups => [
  ...(listId === undefined ? [] : [{ kind: listKind, id: listId }]),
  ...[...new Set(tagIds)].sort((one, other) => one - other).map((id) => ({ kind: tagKind, id })),
];
