import { recordActivity } from '#features/activities/server/index.ts';
import { idna } from '#features/addresses/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import type { ContactSelection } from '#features/contacts/contract.ts';
import {
  adjustForAddresses,
  affectedCounts,
  blockDomain,
  lockDomains,
  selectedContacts,
  unblockDomain,
} from '#features/contacts/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { DomainSuppression, EmailSuppression } from '../contract.ts';
import { createAddressReader, readDomain, searchText, writtenAddress } from '../rules.ts';
import {
  type AddressKey,
  countAddresses,
  type DomainSuppressionRow,
  deleteAddress,
  deleteDomain,
  type EmailSuppressionRow,
  insertAddress,
  insertAddresses,
  insertDomain,
  newAddressesOf,
  searchAddressPage,
  selectAddress,
  selectAddressPage,
  selectContactKey,
  selectDomain,
  selectDomainPage,
} from './queries.ts';

/**
 * The verbs of the suppression list. Each runs in the caller's transaction and first takes the workspace's rollup lock, so
 * that changes of the list come one after the other and no import commits between a change and the figures it moves.
 * Putting on the list what is there already answers the entry that stands, and leaves no second trace.
 */
const readAddress = createAddressReader(idna);

export interface Actor {
  workspaceId: number;
  email: string;
}

const thousands = new Intl.NumberFormat('en-GB');

export async function suppressOneContact(
  tx: TenantTx,
  actor: Actor,
  contactId: number,
): Promise<EmailSuppression> {
  await lockDomains(tx, actor.workspaceId, 'exclusive');
  const key = await selectContactKey(tx, actor.workspaceId, contactId);
  if (!key) throw new AppError('not_found', 'This contact is not there any more. Reload the list.');
  return putOnList(tx, actor, key, null);
}

export async function suppressOneAddress(
  tx: TenantTx,
  actor: Actor,
  { email, note }: { email: string; note?: string | null | undefined },
): Promise<EmailSuppression> {
  const read = readAddress(email);
  if (!read.ok) throw new AppError('invalid_input', read.message, { fields: { email: read.message } });
  await lockDomains(tx, actor.workspaceId, 'exclusive');
  return putOnList(tx, actor, read, note || null);
}

async function putOnList(
  tx: TenantTx,
  actor: Actor,
  { local, domain }: AddressKey,
  note: string | null,
): Promise<EmailSuppression> {
  const { workspaceId } = actor;
  const key = { local, domain };
  const added = await insertAddress(tx, workspaceId, {
    ...key,
    reason: 'manual',
    note,
    createdBy: actor.email,
  });
  if (!added) {
    const standing = await selectAddress(tx, workspaceId, key);
    if (!standing) throw new AppError('conflict', 'Somebody else is changing this entry. Try again.');
    return shownAddress(standing);
  }
  await countAddresses(tx, workspaceId, 1);
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
  return shownAddress(added);
}

/**
 * Answers how many addresses are new on the list. They are counted over to suppressed before they are put there, by the
 * same question: under the lock nobody else changes the list or the contacts in between.
 */
export async function suppressManyContacts(
  tx: TenantTx,
  actor: Actor,
  selection: ContactSelection,
): Promise<number> {
  const { workspaceId } = actor;
  await lockDomains(tx, workspaceId, 'exclusive');
  const addresses = newAddressesOf(workspaceId, await selectedContacts(tx, workspaceId, selection));
  await adjustForAddresses(tx, workspaceId, addresses, 1);
  const added = await insertAddresses(tx, workspaceId, addresses, {
    reason: 'manual',
    createdBy: actor.email,
  });
  if (added === 0) return 0;
  await countAddresses(tx, workspaceId, added);
  const words = added === 1 ? '1 address was' : `${thousands.format(added)} addresses were`;
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'suppression.added_many',
    subject: 'suppressions',
    details: {
      added,
      reason: 'manual',
      ...('ids' in selection ? { named: selection.ids.length } : { filter: selection.filter }),
    },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Emails Suppressed',
    details: `${words} put on the suppression list`,
    status: 'completed',
    icon: 'user-off',
    iconColor: 'warning',
    actor: actor.email,
  });
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
  await lockDomains(tx, workspaceId, 'exclusive');
  const added = await insertDomain(tx, workspaceId, {
    domain,
    reason: 'manual',
    note: note || null,
    createdBy: actor.email,
  });
  const entry = added ?? (await selectDomain(tx, workspaceId, domain));
  if (!entry) throw new AppError('conflict', 'Somebody else is changing this entry. Try again.');
  if (added) await blockDomain(tx, workspaceId, domain);
  const affected = (await affectedCounts(tx, workspaceId, [domain])).get(domain) ?? 0;
  if (added) await recordDomainSuppressed(tx, actor, added, affected);
  return shownDomain(entry, affected);
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

/** Throws `not_found` for an id that is not this workspace's. */
export async function liftAddress(
  tx: TenantTx,
  actor: Actor,
  id: number,
  reason: string | undefined,
): Promise<void> {
  const { workspaceId } = actor;
  await lockDomains(tx, workspaceId, 'exclusive');
  const lifted = await deleteAddress(tx, workspaceId, id);
  if (!lifted) throw notOnList();
  await countAddresses(tx, workspaceId, -1);
  await adjustForAddresses(tx, workspaceId, [{ local: lifted.local, domain: lifted.domain }], -1);
  await recordLifted(tx, actor, `suppression:${id}`, writtenAddress(lifted), lifted, reason);
}

/** Throws `not_found` for an id that is not this workspace's. */
export async function liftDomain(
  tx: TenantTx,
  actor: Actor,
  id: number,
  reason: string | undefined,
): Promise<void> {
  const { workspaceId } = actor;
  await lockDomains(tx, workspaceId, 'exclusive');
  const lifted = await deleteDomain(tx, workspaceId, id);
  if (!lifted) throw notOnList();
  await unblockDomain(tx, workspaceId, lifted.domain);
  await recordLifted(tx, actor, `domain_suppression:${id}`, lifted.domain, lifted, reason);
}

const notOnList = () => new AppError('not_found', 'This entry is not on the suppression list any more.');

/** The entry is gone after this; the audit line keeps what it was and why it was lifted. */
async function recordLifted(
  tx: TenantTx,
  actor: Actor,
  subject: string,
  name: string,
  lifted: EmailSuppressionRow | DomainSuppressionRow,
  reason: string | undefined,
): Promise<void> {
  await recordAudit(tx, actor.workspaceId, {
    actor: actor.email,
    action: `${subject.split(':')[0]}.lifted`,
    subject,
    details: {
      name,
      why: reason || null,
      was: {
        reason: lifted.reason,
        note: lifted.note,
        createdBy: lifted.createdBy,
        createdAt: lifted.createdAt.toISOString(),
      },
    },
  });
  await recordActivity(tx, actor.workspaceId, {
    action: 'Suppression Removed',
    details: name,
    status: 'completed',
    icon: 'user-check',
    iconColor: 'success',
    actor: actor.email,
  });
}

interface ListQuery {
  search: string;
  page: number;
  limit: number;
}

export async function listAddresses(
  tx: TenantTx,
  workspaceId: number,
  query: ListQuery,
): Promise<{ items: EmailSuppression[]; totalCount: number }> {
  const text = searchText(query.search);
  const page = { skip: (query.page - 1) * query.limit, take: query.limit };
  const { rows, total } =
    text === ''
      ? await selectAddressPage(tx, workspaceId, page)
      : await searchAddressPage(tx, workspaceId, text, page);
  return { items: rows.map(shownAddress), totalCount: total };
}

export async function listDomains(
  tx: TenantTx,
  workspaceId: number,
  query: ListQuery,
): Promise<{ items: DomainSuppression[]; totalCount: number }> {
  const page = { skip: (query.page - 1) * query.limit, take: query.limit };
  const { rows, total } = await selectDomainPage(tx, workspaceId, searchText(query.search), page);
  const affected = await affectedCounts(
    tx,
    workspaceId,
    rows.map((row) => row.domain),
  );
  return { items: rows.map((row) => shownDomain(row, affected.get(row.domain) ?? 0)), totalCount: total };
}

function shownAddress(row: EmailSuppressionRow): EmailSuppression {
  return {
    id: row.id,
    email: writtenAddress(row),
    reason: row.reason as EmailSuppression['reason'],
    note: row.note,
    createdAt: row.createdAt.toISOString(),
  };
}

function shownDomain(row: DomainSuppressionRow, affectedCount: number): DomainSuppression {
  return { id: row.id, domain: row.domain, affectedCount, createdAt: row.createdAt.toISOString() };
}
