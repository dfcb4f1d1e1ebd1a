import { recordActivity } from '#features/activities/server/index.ts';
import type { AudienceRecord } from '#features/audience/rules/flat-filter.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import { contactsInWords } from '#features/contacts/rules.ts';
import type { ToldUndo } from '#features/tasks/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { WhatChanges } from '../contract.ts';
import { changeInWords, fieldsOfWhat } from '../rules.ts';

/** Where people find past changes, and undo them. */
export const changesLink = '/field-changes';

type End = 'failed' | 'cancelled';

interface Told {
  end?: End | undefined;
  isTask: boolean;
}

const statusOf = (end: End | undefined) => (end === 'failed' ? 'failed' : 'completed');

/** Records that fields of contacts were set. Not the values, as for a change of one contact. */
export async function tellSet(
  tx: TenantTx,
  workspaceId: number,
  actor: string | null,
  told: Told & { changeId: number; what: WhatChanges; changed: number; leftOut: number; of: AudienceRecord },
): Promise<void> {
  const { changeId, what, changed, leftOut, of, end, isTask } = told;
  await recordAudit(tx, workspaceId, {
    actor,
    action: 'contacts.changed',
    subject: `field-change:${changeId}`,
    details: {
      changed,
      leftOut,
      fields: fieldsOfWhat(what),
      ...of,
      fieldChangeId: changeId,
      ...(end ? { end } : {}),
    },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Emails Changed',
    details: changeInWords(what, changed),
    status: statusOf(end),
    icon: 'pencil',
    iconColor: 'primary',
    actor,
    link: changesLink,
    ...(isTask ? { notify: true } : {}),
  });
}

/** Records that contacts have their old values again. */
export async function tellUndone(
  tx: TenantTx,
  workspaceId: number,
  actor: string | null,
  told: ToldUndo,
): Promise<void> {
  const { changeId, undone, leftAsIs, end, isTask } = told;
  await recordAudit(tx, workspaceId, {
    actor,
    action: 'contacts.change_undone',
    subject: `field-change:${changeId}`,
    details: { undone, leftAsIs, fieldChangeId: changeId, ...(end ? { end } : {}) },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Change Undone',
    details: `${contactsInWords(undone)} with the old values again`,
    status: statusOf(end),
    icon: 'arrow-back-up',
    iconColor: 'warning',
    actor,
    ...(isTask ? { link: changesLink, notify: true } : {}),
  });
}
