import { otherAddressesOf } from '#features/contacts/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { selectMovedFrom } from '../address/request-queries.ts';
import type { AddressKey } from './pause-queries.ts';
import { selectAddressesOfWishes } from './wish-queries.ts';

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

/** What a reader can take back on the page, and for how long. */
export const ownLeaving = { reason: 'unsubscribed', minutes: 60 };

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
 * Where a reader can come back: at `addressesOf` and wherever they have left by a wish within the
 * hour, also at an address in the bin. Not at one that they have given up for that of another
 * contact.
 */
export async function addressesToComeBackTo(
  tx: TenantTx,
  workspaceId: number,
  reader: Reader,
): Promise<AddressKey[]> {
  const left = await selectAddressesOfWishes(tx, workspaceId, reader.contactId, ownLeaving.minutes);
  const keys = eachOnce([...(await addressesOf(tx, workspaceId, reader)), ...left]);
  const moved = await selectMovedFrom(tx, workspaceId, keys);
  return keys.filter((key) => !moved.some((one) => one.local === key.local && one.domain === key.domain));
}
