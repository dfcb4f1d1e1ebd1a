import type { ContactChange } from '#features/contacts/rules/contact-change.ts';
import type { StoredContact } from '#features/contacts/rules.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { FieldChangesEvent } from '../contract/contact-events.ts';
import { fieldsOfChange } from '../rules.ts';
import { selectChangesOf } from './contact-queries.ts';

/** The changes of fields that a contact was part of, as long as they can be undone. */
export async function tellEvents(
  tx: TenantTx,
  workspaceId: number,
  { id }: StoredContact,
  limit: number,
): Promise<FieldChangesEvent[]> {
  const changes = await selectChangesOf(tx, workspaceId, id, limit);
  return changes.map(({ after, at, by, contacts }) => ({
    kind: 'changed_with_others',
    at: at.toISOString(),
    by,
    fields: fieldsOfChange(after as ContactChange),
    contacts,
  }));
}
