import { recordActivity } from '#features/activities/server/index.ts';
import { mailboxKey } from '#features/addresses/rules.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import type { Bin } from '#features/bin/server/index.ts';
import { presentContact, writtenAddress } from '#features/contacts/rules.ts';
import { selectContacts } from '#features/contacts/server/index.ts';
import { carrySuppressions } from '#features/suppressions/server/index.ts';
import { carryStayingAway } from '#features/tracking/server/index.ts';
import {
  dropSharedMailbox,
  dropSuggestions,
  gatherSharedMailboxesOf,
  verifyNow,
} from '#features/verification/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type {
  CorrectionPattern,
  MergeField,
  SharedMailbox,
  SuggestedCorrection,
  WhichCorrections,
} from '../contract.ts';
import { bestToKeep } from '../rules.ts';
import type { CorrectionsContext } from './correction-work.ts';
import { mergeInto, unmerge } from './merge.ts';
import { forCaller } from './patience.ts';
import {
  addressPairs,
  insertDismissals,
  selectPatternContacts,
  selectPatterns,
  selectSamples,
  selectSharedMailboxes,
} from './review-queries.ts';

/**
 * The decisions of a review. A suppressed contact stays suppressed, whatever its address becomes
 * and whoever it is merged with. Undoing a decision restores contacts and leaves the suppression
 * list as it is, because an entry may have been requested again meanwhile.
 */
const samplesEach = 3;
const shownOfGroup = 20;

interface Paging {
  page: number;
  limit: number;
}
const pageOf = ({ page, limit }: Paging) => ({ skip: (page - 1) * limit, take: limit });

export async function listPatterns(
  tx: TenantTx,
  workspaceId: number,
  paging: Paging,
): Promise<{ items: CorrectionPattern[]; totalCount: number; contacts: number }> {
  const { rows, total, contacts } = await selectPatterns(tx, workspaceId, pageOf(paging));
  const samples = await selectSamples(tx, workspaceId, rows, samplesEach);
  const items = rows.map(({ from, to, contacts: count }) => ({
    from,
    to,
    contacts: count,
    samples: samples
      .filter((sample) => sample.from === from && sample.to === to)
      .map(({ id, before, after }) => ({ id, before, after })),
  }));
  return { items, totalCount: total, contacts };
}

export async function listPatternContacts(
  tx: TenantTx,
  workspaceId: number,
  query: Paging & { from: string; to: string },
): Promise<{ items: SuggestedCorrection[]; totalCount: number }> {
  const { rows, total } = await selectPatternContacts(tx, workspaceId, query, pageOf(query));
  const items = rows.map((row) => ({
    ...row,
    outcome: row.existingId === null ? ('correct' as const) : ('merge' as const),
  }));
  return { items, totalCount: total };
}

export async function dismissCorrections(
  tx: TenantTx,
  actor: Actor,
  which: WhichCorrections,
): Promise<{ dismissed: number }> {
  const { workspaceId } = actor;
  const addresses = await dropSuggestions(tx, workspaceId, which);
  if ('pattern' in which) {
    const { from, to } = which.pattern;
    await insertDismissals(tx, workspaceId, 'pattern', [`${from} ${to}`], actor.email);
  } else if (addresses.length > 0) {
    await insertDismissals(tx, workspaceId, 'address', addresses, actor.email);
  }
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'corrections.dismissed',
    subject: 'corrections',
    details: { dismissed: addresses.length, ...('pattern' in which ? which.pattern : { addresses }) },
  });
  return { dismissed: addresses.length };
}

export async function listDuplicates(
  tx: TenantTx,
  workspaceId: number,
  paging: Paging,
): Promise<{ items: SharedMailbox[]; totalCount: number }> {
  const { rows, total } = await selectSharedMailboxes(tx, workspaceId, pageOf(paging), shownOfGroup);
  const all = await selectContacts(
    tx,
    workspaceId,
    rows.flatMap(({ ids }) => ids),
  );
  const byId = new Map(all.map((contact) => [contact.id, contact]));
  const items = rows.flatMap(({ local, domain, contacts, ids }) => {
    const members = ids.flatMap((id) => byId.get(id) ?? []);
    const keep = bestToKeep(members);
    if (!keep || members.length < 2) return [];
    return {
      mailbox: `${local}@${domain}`,
      contacts: members.map(presentContact),
      totalContacts: contacts,
      keepId: keep.id,
      isSuppressed: members.some((contact) => contact.isSuppressed),
    };
  });
  return { items, totalCount: total };
}

interface Merge {
  keepId: number;
  otherIds: number[];
  fields?: Partial<Record<MergeField, number | undefined>> | undefined;
}

interface MergeParts extends Pick<CorrectionsContext, 'topics'> {
  bin: Bin;
}

export const mergeContacts = (parts: MergeParts, tx: TenantTx, actor: Actor, merge: Merge) =>
  forCaller(tx, () => merging(parts, tx, actor, merge));

async function merging(parts: MergeParts, tx: TenantTx, actor: Actor, merge: Merge) {
  const { workspaceId } = actor;
  const merged = await mergeInto(parts.bin, tx, actor, merge);
  const [kept, ...others] = merged.contacts;
  if (!kept) throw new AppError('not_found', 'This contact is not there any more.');
  await carrySuppressions(tx, actor, addressPairs(others, kept));
  await carryStayingAway(parts, tx, workspaceId, addressPairs(others, kept));
  await verifyNow(tx, workspaceId, [kept.id]);
  await recordActivity(tx, workspaceId, {
    action: 'Contacts Merged',
    details: `${others.map(writtenAddress).join(', ')} into ${writtenAddress(kept)}`,
    status: 'completed',
    icon: 'users-minus',
    iconColor: 'accent',
    actor: actor.email,
    subject: `merge:${merged.mergeId}`,
  });
  const [now] = await selectContacts(tx, workspaceId, [kept.id]);
  return { mergeId: merged.mergeId, removed: merged.removed, contact: presentContact(now ?? kept) };
}

export const undoMerge = (
  bin: Bin,
  tx: TenantTx,
  actor: Actor,
  mergeId: number,
): Promise<{ restored: number }> =>
  forCaller(tx, async () => {
    const [keptId, ...ids] = await unmerge(bin, tx, actor, mergeId);
    const all = keptId === undefined ? ids : [keptId, ...ids];
    await verifyNow(tx, actor.workspaceId, all);
    await gatherSharedMailboxesOf(tx, actor.workspaceId, all);
    return { restored: ids.length };
  });

export async function dismissDuplicates(
  tx: TenantTx,
  actor: Actor,
  mailbox: string,
): Promise<{ dismissed: number }> {
  const { workspaceId } = actor;
  const at = mailbox.lastIndexOf('@');
  const [local, domain] = [mailbox.slice(0, at).toLowerCase(), mailbox.slice(at + 1).toLowerCase()];
  const key = mailboxKey(local, domain);
  const wasThere = await dropSharedMailbox(tx, workspaceId, { local, domain });
  if (!wasThere) throw new AppError('not_found', 'No contacts share this mailbox any more. Reload the list.');
  await insertDismissals(tx, workspaceId, 'mailbox', [key], actor.email);
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'duplicates.dismissed',
    subject: 'contacts',
    details: { mailbox: key },
  });
  return { dismissed: 1 };
}
