import { recordActivity } from '#features/activities/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { View } from '../contract.ts';
import { pathOfView } from '../rules.ts';
import type { Person } from './person.ts';

/** Records in the audit log what happened to a view. */
export const note = (
  tx: TenantTx,
  person: Person,
  action: string,
  id: number,
  details: Record<string, unknown>,
) => recordAudit(tx, person.workspaceId, { actor: person.email, action, subject: `view:${id}`, details });

/** Tells the workspace that a view is now there for everybody. */
export const tellShared = (
  tx: TenantTx,
  person: Person,
  { id, name, state }: Pick<View, 'id' | 'name' | 'state'>,
) =>
  tell(
    tx,
    person,
    'View Shared',
    `“${name}” is there for everybody in the workspace`,
    pathOfView({ id, state }),
  );

/** Tells the workspace what happened to a shared view. */
export const tell = (
  tx: TenantTx,
  person: Person,
  action: string,
  details: string,
  link = '/email-database',
) =>
  recordActivity(tx, person.workspaceId, {
    action,
    details,
    status: 'completed',
    icon: 'bookmark',
    iconColor: 'primary',
    actor: person.email,
    link,
  });
