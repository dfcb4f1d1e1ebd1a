import { tagKind } from '#features/tags/server/index.ts';
import type { FindUses } from '#platform/server/feature.ts';
import { asksFor } from './keep-rules.ts';
import { listKind } from './list-kind.ts';
import { selectDynamic, selectName } from './queries.ts';

/** The kinds of groups that rules ask for, and the field that does. */
const asked = { list: { kind: listKind, field: 'list' }, tag: { kind: tagKind, field: 'tags' } };

/** The dynamic lists whose rules ask for a list or a tag. */
export const findRulesWith: FindUses = async (tx, workspaceId, { condition, id }) => {
  if (condition !== 'list' && condition !== 'tag') return [];
  const { kind, field } = asked[condition];
  const name = await selectName(tx, workspaceId, kind, id);
  if (name === undefined) return [];
  const lists = await selectDynamic(tx, workspaceId);
  return lists
    .filter(({ segmentRules }) => asksFor(segmentRules, { id, name }, field))
    .map((list) => ({ kind: 'list', id: list.id, name: list.name }));
};
