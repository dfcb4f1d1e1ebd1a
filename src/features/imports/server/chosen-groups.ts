import { listKind } from '#features/lists/server/thread.ts';
import type { addImported } from '#features/memberships/server/thread.ts';
import { tagKind } from '#features/tags/server/thread.ts';
import type { ImportOptions } from '../contract.ts';

type ChosenGroups = Parameters<typeof addImported>[2]['groups'];

interface Chosen {
  listId?: ImportOptions['listId'] | null;
  tagIds?: ImportOptions['tagIds'];
}

/** The list and the tags that an import adds its contacts to. */
export const chosenGroups = ({ listId, tagIds = [] }: Chosen): ChosenGroups => [
  ...(listId == null ? [] : [{ kind: listKind, id: listId }]),
  ...[...new Set(tagIds)].sort((one, other) => one - other).map((id) => ({ kind: tagKind, id })),
];
