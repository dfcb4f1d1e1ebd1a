import { z } from 'zod';
import { mostGroups } from '#features/audience/contract.ts';
import type { ConditionRule, Tree } from '#features/audience/rules/tree.ts';
import { type ContactIndex, listedCondition } from '#features/audience/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { GroupKind } from './group-kind.ts';
import { type GroupRow, selectGroups } from './group-queries.ts';

const ids = z
  .array(z.number().int().positive().max(2_147_483_647))
  .min(1)
  .max(mostGroups)
  .transform((given) => [...new Set(given)]);

const ruleOf = ({ kind }: GroupKind): ConditionRule<number[]> & { bound: 'lists' } => ({
  key: kind,
  schema: ids,
  bound: 'lists',
  words: (numbers) => {
    const some = numbers.join(' or ');
    return kind === 'list' ? `it is on list ${some}` : `it has the tag ${some}`;
  },
});

/** What some groups stand for: those whose contacts follow from rules. Null when none of them. */
type StandsFor = (tx: TenantTx, workspaceId: number, ids: readonly number[]) => Promise<Tree | null>;

/**
 * On one of these lists, or with one of these tags. A group that is not there any more is refused:
 * left out, it would mean more contacts, or none without anybody noticing.
 */
export function conditionOf(kind: GroupKind, expand?: StandsFor) {
  const index: ContactIndex<ReadonlyMap<number, GroupRow>> = {
    table: kind.tables.members,
    list: kind.tables.key,
    overlaps: true,
    async load(tx, workspaceId, leaves = []) {
      const asked = leaves.flatMap(({ value }) => value as number[]);
      const groups = await selectGroups(tx, workspaceId, kind, asked);
      return new Map(groups.map((group) => [group.id, group]));
    },
    choose: (leaves, known) =>
      leaves.flatMap(({ value }) =>
        (value as number[]).map((id) => ({ id, contacts: countOf(kind, known, id) })),
      ),
    size: (known) => [...known.values()].reduce((sum, { contacts }) => sum + contacts, 0),
  };
  return listedCondition(ruleOf(kind), index as ContactIndex, expand && { expand });
}

function countOf({ kind }: GroupKind, known: ReadonlyMap<number, GroupRow>, id: number): number {
  const group = known.get(id);
  if (!group)
    throw new AppError('invalid_input', `The ${kind} ${id} is not there any more. Choose another, or none.`);
  if (group.deletedAt)
    throw new AppError(
      'invalid_input',
      `The ${kind} “${group.name}” was deleted. Choose another, or restore it.`,
    );
  return group.contacts;
}
