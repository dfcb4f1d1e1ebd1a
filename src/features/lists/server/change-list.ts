import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { needLocked, noteGroup } from '#features/memberships/server/index.ts';
import type { SegmentRules } from '#features/segments/contract.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { List } from '../contract.ts';
import { hasRules, rulesOfStatic } from './create-list.ts';
import type { DynamicLists } from './dynamic-lists.ts';
import { findList } from './find-list.ts';
import { listKind } from './list-kind.ts';
import { updateList } from './queries.ts';

/**
 * Renames or describes a list, or gives a dynamic one other rules. The same values again leave no
 * trace.
 */
export async function changeList(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  id: number,
  wanted: {
    name?: string | undefined;
    description?: string | null | undefined;
    segmentRules?: SegmentRules | undefined;
  },
  { segments, countSoon }: DynamicLists,
): Promise<List> {
  await needLocked(tx, workspaceId, listKind, id);
  const before = await findList(tx, workspaceId, id);
  const name = wanted.name ?? before.name;
  const description = wanted.description === undefined ? before.description : wanted.description || null;
  if (!before.isDynamic && hasRules(wanted.segmentRules)) throw rulesOfStatic();
  const segmentRules = before.isDynamic ? (wanted.segmentRules ?? before.segmentRules) : null;
  const hasOtherRules = JSON.stringify(segmentRules) !== JSON.stringify(before.segmentRules);
  if (name === before.name && description === before.description && !hasOtherRules) return before;
  if (hasOtherRules && segmentRules) await segments.tree(tx, workspaceId, segmentRules);
  await updateList(tx, workspaceId, id, { name, description, segmentRules });
  await noteGroup(tx, workspaceId, listKind, id, 'changed');
  if (hasOtherRules) await countSoon(tx, workspaceId, id);
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'list.changed',
    subject: `list:${id}`,
    details: {
      name: name === before.name ? name : { from: before.name, to: name },
      ...(description === before.description
        ? {}
        : { description: { from: before.description, to: description } }),
      ...(hasOtherRules ? { segmentRules: { from: before.segmentRules, to: segmentRules } } : {}),
    },
  });
  return findList(tx, workspaceId, id);
}
