import { recordActivity } from '#features/activities/server/index.ts';
import type { AudienceRecord } from '#features/audience/rules/flat-filter.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import { contactsInWords } from '#features/contacts/rules.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { changeInWords } from '../../rules.ts';
import type { GroupKind } from '../group-kind.ts';
import type { GroupRow } from '../group-queries.ts';

interface Told {
  group: Pick<GroupRow, 'id' | 'name'>;
  changeId: number;
  end?: 'failed' | 'cancelled' | undefined;
  isTask?: boolean;
}

const statusOf = (end: Told['end']) => (end === 'failed' ? 'failed' : 'completed');

/** Records that contacts were added to a group, or taken out. */
export async function tellChanged(
  tx: TenantTx,
  workspaceId: number,
  actor: string | null,
  { kind, icon, link }: GroupKind,
  told: Told & { isRemoval: boolean; changed: number; leftOut: number; of: AudienceRecord },
): Promise<void> {
  const { group, isRemoval, changed, leftOut, changeId, of, end, isTask } = told;
  await recordAudit(tx, workspaceId, {
    actor,
    action: `${kind}.contacts_${isRemoval ? 'removed' : 'added'}`,
    subject: `${kind}:${group.id}`,
    details: {
      name: group.name,
      ...(isRemoval ? { removed: changed } : { added: changed }),
      ...(leftOut > 0 ? { leftTopics: leftOut } : {}),
      ...of,
      membershipChangeId: changeId,
      ...(end ? { end } : {}),
    },
  });
  await recordActivity(tx, workspaceId, {
    action: kind === 'tag' ? (isRemoval ? 'Tag Taken Off' : 'Contacts Tagged') : 'List Changed',
    details: changeInWords({ kind, isRemoval }, changed, group.name),
    status: statusOf(end),
    icon,
    iconColor: isRemoval ? 'warning' : 'primary',
    actor,
    link: link(group.id),
    ...(isTask ? { notify: true } : {}),
  });
}

/** Records that an addition or a removal was undone. */
export async function tellUndone(
  tx: TenantTx,
  workspaceId: number,
  actor: string | null,
  { kind, link }: GroupKind,
  { group, changeId, undone, end, isTask }: Told & { undone: number },
): Promise<void> {
  await recordAudit(tx, workspaceId, {
    actor,
    action: `${kind}.contacts_put_back`,
    subject: `${kind}:${group.id}`,
    details: { name: group.name, undone, membershipChangeId: changeId, ...(end ? { end } : {}) },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Change Undone',
    details: `${contactsInWords(undone)} as before, ${kind} “${group.name}”`,
    status: statusOf(end),
    icon: 'arrow-back-up',
    iconColor: 'warning',
    actor,
    link: link(group.id),
    ...(isTask ? { notify: true } : {}),
  });
}
