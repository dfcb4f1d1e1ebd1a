import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Contact } from '../contract.ts';
import { presentContact } from '../rules.ts';
import { selectContacts } from './select-contacts.ts';

const contactNotFound = () =>
  new AppError('not_found', 'This contact is not there any more. Reload the list.');

export async function findContact(tx: TenantTx, workspaceId: number, id: number): Promise<Contact> {
  const [contact] = await selectContacts(tx, workspaceId, [id]);
  if (!contact) throw contactNotFound();
  return presentContact(contact);
}
