import { recordActivity } from '#features/activities/server/index.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { noteGroup, refuseTooMany } from '#features/memberships/server/index.ts';
import { conditionsOf, type SegmentRules } from '#features/segments/contract.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type List, mostLists } from '../contract.ts';
import type { DynamicLists } from './dynamic-lists.ts';
import { findList } from './find-list.ts';
import { rulesToKeep } from './keep-rules.ts';
import { linkOf, listKind } from './list-kind.ts';
import { insertList } from './queries.ts';
import { notShown, shownOf, type WantedShown } from './shown.ts';

interface Given extends WantedShown {
  name: string;
  description?: string | null | undefined;
  isDynamic: boolean;
  segmentRules?: SegmentRules | null | undefined;
}

/** No condition is no rule: a form sends what it has. */
export const hasRules = (rules: SegmentRules | null | undefined): boolean =>
  conditionsOf(rules ?? {}).length > 0;

/** Rules for a list that people fill would be kept and never asked. */
export const rulesOfStatic = (): AppError => {
  const message = 'Only a dynamic list has rules. Set isDynamic, or leave the rules out.';
  return new AppError('invalid_input', message, { fields: { segmentRules: message } });
};

/**
 * Makes a list that people fill, or one that fills itself by rules. Throws `conflict` when the
 * workspace has as many as it may, and `invalid_input` with a sentence when the rules cannot be
 * read.
 */
export async function createList(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  given: Given,
  { segments, countSoon }: DynamicLists,
): Promise<List> {
  if (!given.isDynamic && hasRules(given.segmentRules)) throw rulesOfStatic();
  const rules = given.segmentRules ?? { conditions: [] };
  const segmentRules = given.isDynamic ? await rulesToKeep(tx, workspaceId, segments, rules, null) : null;
  const shown = shownOf(notShown, given, given.isDynamic);
  await refuseTooMany(tx, workspaceId, listKind, mostLists);
  const { name } = given;
  const description = given.description || null;
  const list = { name, description, segmentRules, createdBy: email, ...shown };
  const id = await insertList(tx, workspaceId, list);
  await noteGroup(tx, workspaceId, listKind, id, 'created');
  if (segmentRules !== null) await countSoon(tx, workspaceId, id);
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'list.created',
    subject: `list:${id}`,
    details: {
      name,
      ...(description ? { description } : {}),
      ...(shown.isPublic ? { isPublic: true } : {}),
    },
  });
  await recordActivity(tx, workspaceId, {
    action: 'List Created',
    details: name,
    status: 'completed',
    icon: 'list',
    iconColor: 'primary',
    actor: email,
    link: linkOf(id),
  });
  return findList(tx, workspaceId, id);
}
