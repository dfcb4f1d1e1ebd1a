import { sql } from 'kysely';
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

interface AddressKey {
  local: string;
  domain: string;
}

/**
 * The contacts by which a reader is mailed by now at other addresses than the given one, which the
 * contact had: itself where it moved to, what it was merged into and is not back from, and whoever
 * has the address that the reader has confirmed.
 */
export async function otherAddressesOf(
  tx: TenantTx,
  workspaceId: number,
  { contactId, local, domain }: AddressKey & { contactId: number | null },
): Promise<(AddressKey & { contactId: number })[]> {
  if (contactId === null) return [];
  const { rows } = await sql<AddressKey & { contactId: number }>`
    select c.id as "contactId", c.local, c.domain from contacts_by_now(${workspaceId}, array[${contactId}]::bigint[]) s (id)
    join contacts c on c.workspace_id = ${workspaceId} and c.id = s.id and c.state <> 2
    where (c.local, c.domain) <> (${local}, ${domain}) order by c.id`.execute(tx);
  return rows;
}
