import type { RawBuilder } from 'kysely';
import { recordActivity } from '#features/activities/server/index.ts';
import { idna } from '#features/addresses/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import {
  adjustForAddresses,
  affectedCounts,
  blockDomain,
  holdFigures,
} from '#features/rollups/server/index.ts';
import { sqlState, type TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { DomainSuppression, EmailSuppression, SuppressionReason } from '../contract.ts';
import { createAddressReader, readDomain, writtenAddress } from '../rules.ts';
import { shownAddresses, shownDomain } from './lists.ts';
import {
  type AddressKey,
  change,
  countEntries,
  type DomainSuppressionRow,
  insertAddress,
  insertAddresses,
  insertDomain,
  limitWaiting,
  newAddressesOf,
  selectAddress,
  selectContactKey,
  selectDomain,
} from './queries.ts';

/**
 * Putting on the suppression list. Each runs in the caller's transaction and first takes the workspace's rollup lock, so
 * that changes of the list come one after the other and no import commits between a change and the figures it moves.
 * Putting on the list what is there already answers the entry that stands, and leaves no second trace.
 */
const readAddress = createAddressReader(idna);

export interface Actor {
  workspaceId: number;
  email: string;
}

const thousands = new Intl.NumberFormat('en-GB');

/**
 * How long a change waits for one that holds the same entry: the import of a list holds its entries until it is done, and
 * whoever waits for it here holds the rollup lock that it needs at the end. Less than PostgreSQL's deadlock_timeout (1 s), after
 * which it might end the import, rather than the change, to break the circle.
 */
const patienceMs = 800;

/** An entry is held by the import of a list. */
export class ListBusy extends AppError {}

/** Runs what may meet an entry that a list import is adding; says so rather than wait for it. */
export async function patiently<T>(tx: TenantTx, work: () => Promise<T>): Promise<T> {
  await limitWaiting(tx, patienceMs);
  try {
    const result = await work();
    await limitWaiting(tx, 0);
    return result;
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error; // lock_not_available
    throw new ListBusy(
      'conflict',
      'A suppression list is being changed just now, and this entry with it. Try again when that has finished.',
      { cause: error },
    );
  }
}

export async function suppressOneContact(
  tx: TenantTx,
  actor: Actor,
  contactId: number,
): Promise<EmailSuppression> {
  await holdFigures(tx, actor.workspaceId);
  const key = await selectContactKey(tx, actor.workspaceId, contactId);
  if (!key) throw new AppError('not_found', 'This contact is not there any more. Reload the list.');
  return putOnList(tx, actor, key, { note: null, reason: 'manual' });
}

export async function suppressOneAddress(
  tx: TenantTx,
  actor: Actor,
  { email, note, reason }: { email: string; note?: string | null | undefined; reason: SuppressionReason },
): Promise<EmailSuppression> {
  const read = readAddress(email);
  if (!read.ok) throw new AppError('invalid_input', read.message, { fields: { email: read.message } });
  await holdFigures(tx, actor.workspaceId);
  return putOnList(tx, actor, read, { note: note || null, reason });
}

async function putOnList(
  tx: TenantTx,
  actor: Actor,
  { local, domain }: AddressKey,
  { note, reason }: { note: string | null; reason: SuppressionReason },
): Promise<EmailSuppression> {
  const { workspaceId } = actor;
  const key = { local, domain };
  const added = await patiently(tx, () =>
    insertAddress(tx, workspaceId, { ...key, reason, note, createdBy: actor.email }),
  );
  if (!added) {
    const standing = await selectAddress(tx, workspaceId, key);
    if (!standing) throw new AppError('conflict', 'Somebody else is changing this entry. Try again.');
    return shownOne(tx, workspaceId, standing.id);
  }
  await countEntries(tx, workspaceId, 'email', change(reason, 1));
  await adjustForAddresses(tx, workspaceId, [key], 1);
  const email = writtenAddress(key);
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'suppression.added',
    subject: `suppression:${added.id}`,
    details: { email, reason: added.reason, note },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Email Suppressed',
    details: email,
    status: 'completed',
    icon: 'user-off',
    iconColor: 'warning',
    actor: actor.email,
  });
  return shownOne(tx, workspaceId, added.id);
}

async function shownOne(tx: TenantTx, workspaceId: number, id: number): Promise<EmailSuppression> {
  const [shown] = await shownAddresses(tx, workspaceId, [id]);
  if (!shown) throw new Error(`suppression ${id} was just written and is not there`);
  return shown;
}

/**
 * Puts the addresses of contacts (`contacts` yields ids) on the list and answers how many are new there. They are counted over
 * to suppressed before they are put there, by the same question: under the lock nobody else changes the list or the contacts
 * in between.
 */
export async function putContactsOnList(
  tx: TenantTx,
  workspaceId: number,
  contacts: RawBuilder<unknown>,
  createdBy: string | null,
): Promise<number> {
  await holdFigures(tx, workspaceId);
  const addresses = newAddressesOf(workspaceId, contacts);
  await adjustForAddresses(tx, workspaceId, addresses, 1);
  const added = await patiently(tx, () =>
    insertAddresses(tx, workspaceId, addresses, { reason: 'manual', createdBy }),
  );
  if (added > 0) await countEntries(tx, workspaceId, 'email', change('manual', added));
  return added;
}

export async function suppressWholeDomain(
  tx: TenantTx,
  actor: Actor,
  { domain: text, note }: { domain: string; note?: string | null | undefined },
): Promise<DomainSuppression> {
  const { workspaceId } = actor;
  const read = readDomain(text, idna);
  if (!read.ok) throw new AppError('invalid_input', read.message, { fields: { domain: read.message } });
  const { domain } = read;
  await holdFigures(tx, workspaceId);
  const added = await patiently(tx, () =>
    insertDomain(tx, workspaceId, { domain, reason: 'manual', note: note || null, createdBy: actor.email }),
  );
  const entry = added ?? (await selectDomain(tx, workspaceId, domain));
  if (!entry) throw new AppError('conflict', 'Somebody else is changing this entry. Try again.');
  if (added) {
    await countEntries(tx, workspaceId, 'domain', change('manual', 1));
    await blockDomain(tx, workspaceId, domain);
  }
  const affected = (await affectedCounts(tx, workspaceId, [domain])).get(domain) ?? 0;
  if (added) await recordDomainSuppressed(tx, actor, added, affected);
  return shownDomain(tx, workspaceId, entry.id, affected);
}

async function recordDomainSuppressed(
  tx: TenantTx,
  actor: Actor,
  { id, domain, note }: DomainSuppressionRow,
  affected: number,
): Promise<void> {
  await recordAudit(tx, actor.workspaceId, {
    actor: actor.email,
    action: 'domain_suppression.added',
    subject: `domain_suppression:${id}`,
    details: { domain, note, affected },
  });
  await recordActivity(tx, actor.workspaceId, {
    action: 'Domain Suppressed',
    details: `${domain}, ${affected === 1 ? '1 contact' : `${thousands.format(affected)} contacts`}`,
    status: 'completed',
    icon: 'world-off',
    iconColor: 'warning',
    actor: actor.email,
  });
}
