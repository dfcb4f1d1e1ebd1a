import { conditionsOf, type SegmentRules } from '#features/segments/contract.ts';
import { folded } from '#features/segments/rules/fold.ts';
import type { Segments } from '#features/segments/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { takeLock } from '#platform/server/locks.ts';
import { AppError } from '#platform/shared/errors.ts';
import { listRulesLock } from './locks.ts';
import { selectDynamic } from './queries.ts';

interface Ruled {
  id: number;
  name: string;
  segmentRules: SegmentRules;
}

/**
 * Rules as a list keeps them: lists and tags by number, as their names change. Throws
 * `invalid_input` for rules that cannot be read, and for those that lead back to the list itself.
 */
export async function rulesToKeep(
  tx: TenantTx,
  workspaceId: number,
  segments: Segments,
  rules: SegmentRules,
  list: { id: number; name: string } | null,
): Promise<SegmentRules> {
  await takeLock(tx, listRulesLock, workspaceId);
  const kept = await segments.kept(tx, workspaceId, rules);
  const asksForLists = conditionsOf(kept).some(({ field }) => field === 'list');
  if (list && asksForLists)
    refuseCircle({ ...list, segmentRules: kept }, await selectDynamic(tx, workspaceId));
  return kept;
}

function refuseCircle(list: Ruled, all: readonly Ruled[]): void {
  const others = all.filter(({ id }) => id !== list.id);
  const seen = new Set<number>();
  /** The lists from this one to `list`, when it leads there. */
  const wayFrom = (from: Ruled): string[] | null => {
    if (asksFor(from.segmentRules, list)) return [from.name];
    seen.add(from.id);
    for (const next of others) {
      const rest = !seen.has(next.id) && asksFor(from.segmentRules, next) && wayFrom(next);
      if (rest) return [from.name, ...rest];
    }
    return null;
  };
  const way = wayFrom(list);
  if (!way) return;
  const [first, ...rest] = [...way, list.name].map((name) => `“${name}”`);
  const message = `These rules go round in a circle: ${first} asks for ${rest.join(', which asks for ')}.`;
  throw new AppError('invalid_input', message, { fields: { segmentRules: message } });
}

/** Whether rules name a list: by its number, or by its name, as older ones do. */
export const asksFor = (
  rules: SegmentRules,
  { id, name }: { id: number; name: string },
  field = 'list',
): boolean =>
  conditionsOf(rules).some(
    (condition) =>
      condition.field === field &&
      [condition.value ?? []].flat().some((one) => one === String(id) || folded(one) === folded(name)),
  );
