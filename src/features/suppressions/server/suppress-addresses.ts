import { type RawBuilder, sql } from 'kysely';
import { recordActivity } from '#features/activities/server/index.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { adjustForAddresses, holdFigures } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { EmailSuppression, PutOnList, SuppressionReason } from '../contract.ts';
import { writtenAddress } from '../rules.ts';
import { byReason } from './carry-queries.ts';
import { giveReasonsOfHashes } from './hash-queries.ts';
import { shownAddresses } from './lists.ts';
import { patiently } from './patience.ts';
import {
  type AddressKey,
  addressesOf,
  change,
  countEntries,
  insertAddress,
  insertAddresses,
  insertRecipients,
  keyRows,
  newAddressesOf,
  selectAddress,
  selectContactKey,
} from './queries.ts';
import { giveReasons, markByOthers } from './reason-queries.ts';
import { readAddress } from './search-text.ts';

/**
 * Putting addresses on the suppression list. Each function runs in the caller's transaction and
 * first takes the workspace's rollup lock. So list changes come one after the other, and no import
 * commits between a change and the figures it moves. Adding what is already there returns the
 * existing entry; it records nothing, unless the entry has got a weightier reason by it.
 */

export async function suppressOneContact(tx: TenantTx, actor: Actor, contactId: number): Promise<PutOnList> {
  return patiently(tx, async () => {
    await holdFigures(tx, actor.workspaceId);
    const key = await selectContactKey(tx, actor.workspaceId, contactId);
    if (!key) throw new AppError('not_found', 'This contact is not there any more. Reload the list.');
    return putOnList(tx, actor, key, { note: null, reason: 'manual' });
  });
}

export async function suppressOneAddress(
  tx: TenantTx,
  actor: Actor,
  { email, note, reason }: { email: string; note?: string | null | undefined; reason: SuppressionReason },
): Promise<PutOnList> {
  const read = readAddress(email);
  if (!read.ok) throw new AppError('invalid_input', read.message, { fields: { email: read.message } });
  return patiently(tx, async () => {
    await holdFigures(tx, actor.workspaceId);
    return putOnList(tx, actor, read, { note: note || null, reason });
  });
}

async function putOnList(
  tx: TenantTx,
  actor: Actor,
  { local, domain }: AddressKey,
  { note, reason }: { note: string | null; reason: SuppressionReason },
): Promise<PutOnList> {
  const { workspaceId } = actor;
  const key = { local, domain };
  const email = writtenAddress(key);
  const details = { email, reason, note };
  const added = await insertAddress(tx, workspaceId, { ...key, reason, note, createdBy: actor.email });
  if (!added) {
    const isRaised = await giveReasons(tx, workspaceId, givenBy(key, { reason, note }));
    const standing = await selectAddress(tx, workspaceId, key);
    if (!standing) throw new AppError('conflict', 'Somebody else is changing this entry. Try again.');
    const subject = `suppression:${standing.id}`;
    if (isRaised)
      await recordAudit(tx, workspaceId, {
        ...{ actor: actor.email, action: 'suppression.changed', subject, details },
      });
    return { ...(await shownOne(tx, workspaceId, standing.id)), isNew: false };
  }
  await countEntries(tx, workspaceId, 'email', change(reason, 1));
  await adjustForAddresses(tx, workspaceId, [key], 1);
  await giveReasonsOfHashes(tx, workspaceId, keyRows([key]));
  await recordAudit(tx, workspaceId, {
    ...{ actor: actor.email, action: 'suppression.added', subject: `suppression:${added.id}`, details },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Email Suppressed',
    details: email,
    status: 'completed',
    icon: 'user-off',
    iconColor: 'warning',
    actor: actor.email,
  });
  return { ...(await shownOne(tx, workspaceId, added.id)), isNew: true };
}

const givenBy = (
  key: AddressKey,
  { reason, note }: { reason: SuppressionReason; note: string | null },
) => sql`
  select local, domain, ${reason}::text as reason, ${note}::text as note from (${keyRows([key])}) k`;

async function shownOne(tx: TenantTx, workspaceId: number, id: number): Promise<EmailSuppression> {
  const [shown] = await shownAddresses(tx, workspaceId, [id]);
  if (!shown) throw new Error(`suppression ${id} was just written and is not there`);
  return shown;
}

/** Who is to be put on the list, and why. */
export interface ToldRecipient extends AddressKey {
  reason: SuppressionReason;
  note: string | null;
}

/**
 * Puts addresses on the list because of what their owners or their mail servers did, in the
 * transaction of the feature that was told. Those that are on it already say this too from then on.
 * The entries themselves say who, when and why; there is no line in the audit log, which is about
 * what people of the workspace do. Call it once for all addresses: they share one wait.
 * @throws LockBusy when the list is being changed for longer than 0.8 s.
 */
export async function suppressRecipients(
  tx: TenantTx,
  workspaceId: number,
  recipients: readonly ToldRecipient[],
): Promise<void> {
  if (recipients.length === 0) return;
  const given = sql`
    select * from unnest(${recipients.map(({ local }) => local)}::text[], ${recipients.map(({ domain }) => domain)}::text[],
      ${recipients.map(({ reason }) => reason)}::text[], ${recipients.map(({ note }) => note)}::text[])
      as given (local, domain, reason, note)`;
  await patiently(tx, async () => {
    await holdFigures(tx, workspaceId);
    const added = await insertRecipients(tx, workspaceId, given);
    if (added.length < recipients.length) await giveReasons(tx, workspaceId, given, 'owner');
    if (added.length === 0) return;
    await countEntries(tx, workspaceId, 'email', byReason(added));
    await adjustForAddresses(tx, workspaceId, added, 1);
    await giveReasonsOfHashes(tx, workspaceId, keyRows(added));
  });
}

/**
 * Puts the addresses of contacts (`contacts` yields ids) on the list and returns how many are new
 * there. It first counts them over to suppressed, with the same query, and then adds them. Under
 * the lock nobody else changes the list or the contacts in between. Entries of people who have left
 * remember it (`markByOthers`).
 */
export async function putContactsOnList(
  tx: TenantTx,
  workspaceId: number,
  contacts: RawBuilder<unknown>,
  createdBy: string | null,
): Promise<number> {
  return patiently(tx, async () => {
    await holdFigures(tx, workspaceId);
    await markByOthers(tx, workspaceId, addressesOf(workspaceId, contacts));
    const addresses = newAddressesOf(workspaceId, contacts);
    await adjustForAddresses(tx, workspaceId, addresses, 1);
    const added = await insertAddresses(tx, workspaceId, addresses, { reason: 'manual', createdBy });
    if (added > 0) await countEntries(tx, workspaceId, 'email', change('manual', added));
    return added;
  });
}
