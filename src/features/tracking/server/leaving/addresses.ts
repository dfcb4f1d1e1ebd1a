import { otherAddressesOf } from '#features/contacts/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { selectMovedFrom } from '../address/request-queries.ts';
import { selectAddressesOfGone } from './gone-queries.ts';
import type { AddressKey } from './pause-queries.ts';

/** Who got a message: the contact, and the address that they are known by. */
export interface Reader extends AddressKey {
  contactId: number | null;
  /** Where the message went. The contact may have been corrected since. */
  sentTo: AddressKey;
}

/** These addresses, each once. */
export const eachOnce = (keys: readonly AddressKey[]): AddressKey[] => [
  ...new Map(keys.map(({ local, domain }) => [`${local}@${domain}`, { local, domain }])).values(),
];

/**
 * The address that a reader is known by, the one that the message went to, then the others that
 * they have: a contact that was corrected or merged is mailed there, and a reader who confirmed the
 * address of another. Those in the bin take too long to find for a reader who waits.
 */
export async function addressesOf(
  tx: TenantTx,
  workspaceId: number,
  { contactId, local, domain, sentTo }: Reader,
): Promise<AddressKey[]> {
  const others = await otherAddressesOf(tx, workspaceId, { contactId, local, domain });
  return eachOnce([{ local, domain }, sentTo, ...others]);
}

/**
 * Those of `addressesOf` and of the bin that the reader has not given up for that of another
 * contact.
 */
export async function addressesToComeBackTo(
  tx: TenantTx,
  workspaceId: number,
  reader: Reader,
): Promise<AddressKey[]> {
  const gone = await selectAddressesOfGone(tx, workspaceId, reader.contactId);
  const keys = eachOnce([...(await addressesOf(tx, workspaceId, reader)), ...gone]);
  const moved = await selectMovedFrom(tx, workspaceId, keys);
  return keys.filter((key) => !moved.some((one) => one.local === key.local && one.domain === key.domain));
}
