import { recordActivity } from '#features/activities/server/index.ts';
import type { AudienceRecord } from '#features/audience/rules/flat-filter.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import type { Basis } from '#features/contacts/contract.ts';
import { contactsInWords } from '#features/contacts/rules.ts';
import type { ToldUndo } from '#features/tasks/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { changeInWords } from '../../rules.ts';

/** Where people find past changes, and undo them. */
export const changesLink = '/basis-changes';

type End = 'failed' | 'cancelled';

interface Told {
  end?: End | undefined;
  isTask: boolean;
}

const statusOf = (end: End | undefined) => (end === 'failed' ? 'failed' : 'completed');

/**
 * Records that the basis of contacts was set. The source is not named: it may say something about a
 * person, and nothing can be removed from the log.
 */
export async function tellSet(
  tx: TenantTx,
  workspaceId: number,
  actor: string | null,
  told: Told & { changeId: number; basis: Basis; changed: number; of: AudienceRecord },
): Promise<void> {
  const { changeId, basis, changed, of, end, isTask } = told;
  await recordAudit(tx, workspaceId, {
    actor,
    action: 'contacts.basis_set',
    subject: `basis-change:${changeId}`,
    details: { changed, marketingBasis: basis, ...of, basisChangeId: changeId, ...(end ? { end } : {}) },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Marketing Basis Set',
    details: changeInWords(basis, changed),
    status: statusOf(end),
    icon: 'pencil',
    iconColor: 'primary',
    actor,
    link: changesLink,
    ...(isTask ? { notify: true } : {}),
  });
}

/** Records that a change was taken back. */
export async function tellUndone(
  tx: TenantTx,
  workspaceId: number,
  actor: string | null,
  told: ToldUndo,
): Promise<void> {
  const { changeId, undone, leftAsIs, end, isTask } = told;
  await recordAudit(tx, workspaceId, {
    actor,
    action: 'contacts.basis_undone',
    subject: `basis-change:${changeId}`,
    details: { undone, leftAsIs, basisChangeId: changeId, ...(end ? { end } : {}) },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Change Undone',
    details: `${contactsInWords(undone)} with the marketing basis they had before`,
    status: statusOf(end),
    icon: 'arrow-back-up',
    iconColor: 'warning',
    actor,
    ...(isTask ? { link: changesLink, notify: true } : {}),
  });
}
