import type { TenantTx } from '#platform/server/database.ts';
import { port } from '#platform/server/ports.ts';
import type { AddressKey } from '../leaving/pause-queries.ts';

/** What the feature that corrects addresses does for a reader. */
export interface AddressChanges {
  /**
   * Gives a contact another address: suppressions follow, and the timeline tells it. False when
   * that is the address of another contact. Throws `conflict` while the contacts are busy.
   */
  change(tx: TenantTx, workspaceId: number, contactId: number, to: AddressKey): Promise<boolean>;
}

export const addressChangesPort = port<AddressChanges>('tracking.address-changes');
