import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { refuseChanged } from '#features/memberships/rules/refuse-changed.ts';
import { needLocked, noteGroup } from '#features/memberships/server/index.ts';
import type { SegmentRules } from '#features/segments/contract.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { List } from '../contract.ts';
import { hasRules, rulesOfStatic } from './create-list.ts';
import type { DynamicLists } from './dynamic-lists.ts';
import { findList } from './find-list.ts';
import { rulesToKeep } from './keep-rules.ts';
import { listKind } from './list-kind.ts';
import { updateList } from './queries.ts';
import { shownOf, type WantedShown } from './shown.ts';

interface Wanted extends WantedShown {
  name?: string | undefined;
  description?: string | null | undefined;
  segmentRules?: SegmentRules | undefined;
  updatedAt?: string | undefined;
}

/**
 * Renames or describes a list, gives a dynamic one other rules, or changes what readers see of it.
 * The same values again leave no trace. Throws `changed_meanwhile` when the list is not as it was
 * at `updatedAt`.
 */
export async function changeList(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  id: number,
  wanted: Wanted,
  { segments, countSoon }: DynamicLists,
): Promise<List> {
  await needLocked(tx, workspaceId, listKind, id);
  const before = await findList(tx, workspaceId, id);
  const name = wanted.name ?? before.name;
  const description = wanted.description === undefined ? before.description : wanted.description || null;
  if (!before.isDynamic && hasRules(wanted.segmentRules)) throw rulesOfStatic();
  const segmentRules =
    before.isDynamic && wanted.segmentRules
      ? await rulesToKeep(tx, workspaceId, segments, wanted.segmentRules, { id, name })
      : before.segmentRules;
  const hasOtherRules = JSON.stringify(segmentRules) !== JSON.stringify(before.segmentRules);
  const after = { name, description, segmentRules, ...shownOf(before, wanted, before.isDynamic) };
  const changed = changesOf(before, after);
  if (Object.keys(changed).length === 0 && !hasOtherRules) return before;
  refuseChanged(before, wanted.updatedAt);
  await updateList(tx, workspaceId, id, after);
  await noteGroup(tx, workspaceId, listKind, id, 'changed');
  if (hasOtherRules) await countSoon(tx, workspaceId, id);
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'list.changed',
    subject: `list:${id}`,
    details: {
      name,
      ...changed,
      ...(hasOtherRules ? { segmentRules: { from: before.segmentRules, to: segmentRules } } : {}),
    },
  });
  return findList(tx, workspaceId, id);
}

const compared = ['name', 'description', 'isPublic', 'publicName', 'publicDescription'] as const;
type Compared = Pick<List, (typeof compared)[number]>;

/** What differs, as the audit log keeps it. */
function changesOf(before: Compared, after: Compared): Record<string, unknown> {
  const changed = compared.filter((key) => before[key] !== after[key]);
  return Object.fromEntries(
    changed.map((key) => [key, key === 'isPublic' ? after[key] : { from: before[key], to: after[key] }]),
  );
}
