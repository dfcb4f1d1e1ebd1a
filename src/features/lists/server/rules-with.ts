import { conditionsOf } from '#features/segments/contract.ts';
import type { FindUses } from '#platform/server/feature.ts';
import { selectDynamic } from './queries.ts';

/** The fields of rules that ask for a list or a tag. */
const fields: Readonly<Record<string, string>> = { list: 'list', tag: 'tags' };

/** The dynamic lists whose rules ask for a list or a tag by its number. */
export const findRulesWith: FindUses = async (tx, workspaceId, { condition, id }) => {
  const asked = fields[condition];
  if (asked === undefined) return [];
  const lists = await selectDynamic(tx, workspaceId);
  return lists
    .filter(({ segmentRules }) =>
      conditionsOf(segmentRules).some(
        ({ field, value = [] }) => field === asked && [value].flat().includes(String(id)),
      ),
    )
    .map((list) => ({ kind: 'list', id: list.id, name: list.name }));
};
