import { type AuditRow, selectLinesAbout, whoDid } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Changed, ContactsEvent } from '../contract/contact-events.ts';
import { joinedChanges } from '../rules/joined-changes.ts';
import { contactStates, type StoredContact } from '../rules.ts';
import { selectFirstState, selectImportOf } from './event-queries.ts';
/** How a contact was added, and each change of its fields. */
export async function tellEvents(
  tx: TenantTx,
  workspaceId: number,
  { id, importId, state, createdAt }: StoredContact,
  limit: number,
): Promise<ContactsEvent[]> {
  const first = (await selectFirstState(tx, workspaceId, id)) ?? state;
  const as =
    first === contactStates.invalid ? 'invalid' : first === contactStates.copy ? 'duplicate' : 'active';
  const lines = await selectLinesAbout(tx, workspaceId, [`contact:${id}`], limit);
  const changes = joinedChanges(lines.filter(({ action }) => action === 'contact.changed').map(toChange));
  const event = { kind: 'added', at: createdAt.toISOString(), as } as const;
  if (importId === null) {
    return [...changes, { ...event, import: null, by: whoDid(lines, 'contact.added') }];
  }
  const file = await selectImportOf(tx, workspaceId, importId);
  return [
    ...changes,
    { ...event, import: { id: importId, fileName: file?.fileName ?? null }, by: file?.by ?? null },
  ];
}

const toChange = ({ actor, createdAt, details }: AuditRow): Changed => ({
  kind: 'changed',
  at: createdAt.toISOString(),
  by: actor,
  fields: Array.isArray(details.fields) ? details.fields.map(String) : [],
});
