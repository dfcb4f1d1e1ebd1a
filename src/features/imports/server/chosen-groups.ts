import { listKind } from '#features/lists/server/thread.ts';
import type { addImported } from '#features/memberships/server/thread.ts';
import { tagKind } from '#features/tags/server/thread.ts';
import type { ImportOptions } from '../contract.ts';

type ChosenGroups = Parameters<typeof addImported>[2]['groups'];

/** The list and the tags that an import adds its contacts to. */
export const chosenGroups = ({
  listId,
  tagIds = [],
}: Pick<ImportOptions, 'listId' | 'tagIds'>): ChosenGroups => [
  ...(listId === undefined ? [] : [{ kind: listKind, id: listId }]),
  ...[...new Set(tagIds)].sort((one, other) => one - other).map((id) => ({ kind: tagKind, id })),
];
