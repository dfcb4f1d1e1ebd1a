import type { RawBuilder } from 'kysely';
import { recordActivity } from '#features/activities/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import {
  adjustForAddresses,
  blockDomains,
  lockDomains,
  unblockDomains,
} from '#features/contacts/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { LiftMany } from '../contract.ts';
import { liftingDays, searchText, writtenAddress } from '../rules.ts';
import { deleteHashesOf, hasHashes } from './hash-queries.ts';
import {
  backByReason,
  backDomains,
  backKeys,
  dropLifting,
  isMatching,
  isNamed,
  type LiftedRow,
  liftedByReason,
  liftedKeys,
  lockLifting,
  moveOffList,
  putBack,
  selectLifted,
} from './lifting-queries.ts';
import { countEntries, type ListName } from './queries.ts';
import { type Actor, patiently } from './service.ts';

/**
 * Taking entries off a list, with who, when and why in the audit log, and putting them back. Like adding, each runs in the
 * caller's transaction and takes the workspace's rollup lock first.
 */
const thousands = new Intl.NumberFormat('en-GB');
const nouns = { email: ['address', 'addresses'], domain: ['domain', 'domains'] } as const;
const countOf = (list: ListName, count: number) =>
  `${thousands.format(count)} ${nouns[list][count === 1 ? 0 : 1]}`;
const nameOf = (row: LiftedRow) =>
  row.local === null ? row.domain : writtenAddress({ local: row.local, domain: row.domain });

export interface Lifted {
  removed: number;
  liftingId: number | null;
}

/** Takes one entry off. Throws `not_found` for an id that is not this workspace's. */
export async function liftOne(
  tx: TenantTx,
  actor: Actor,
  list: ListName,
  id: number,
  why: string | undefined,
): Promise<Lifted> {
  const lifting = await lift(tx, actor, list, isNamed([id]), why);
  if (!lifting) throw new AppError('not_found', 'This entry is not on the suppression list any more.');
  const [entry] = await selectLifted(tx, actor.workspaceId, lifting.id, 1);
  if (!entry) throw new Error(`lifting ${lifting.id} kept nothing`);
  const subject = list === 'email' ? 'suppression' : 'domain_suppression';
  const { reason, note, createdBy, createdAt } = entry;
  await recordAudit(tx, actor.workspaceId, {
    actor: actor.email,
    action: `${subject}.lifted`,
    subject: `${subject}:${id}`,
    details: {
      name: nameOf(entry),
      why: why || null,
      liftingId: lifting.id,
      was: { reason, note, createdBy, createdAt: createdAt.toISOString() },
    },
  });
  await tell(tx, actor, 'Suppression Removed', nameOf(entry));
  return { removed: 1, liftingId: lifting.id };
}

/** Takes many entries off: those named, or all that match. Ids that are not on the list are passed over. */
export async function liftMany(
  tx: TenantTx,
  actor: Actor,
  list: ListName,
  selection: LiftMany,
): Promise<Lifted> {
  const where =
    'ids' in selection
      ? isNamed(selection.ids)
      : isMatching(list, searchText(selection.filter.search ?? ''), selection.filter.reason ?? null);
  const lifting = await lift(tx, actor, list, where, selection.reason);
  if (!lifting) return { removed: 0, liftingId: null };
  await recordAudit(tx, actor.workspaceId, {
    actor: actor.email,
    action: list === 'email' ? 'suppressions.lifted' : 'domain_suppressions.lifted',
    subject: `lifting:${lifting.id}`,
    details: {
      lifted: lifting.entries,
      why: selection.reason || null,
      ...('ids' in selection ? { named: selection.ids.length } : { filter: selection.filter }),
    },
  });
  await tell(
    tx,
    actor,
    'Suppressions Removed',
    `${countOf(list, lifting.entries)} taken off the suppression list`,
  );
  return { removed: lifting.entries, liftingId: lifting.id };
}

async function lift(
  tx: TenantTx,
  actor: Actor,
  list: ListName,
  where: RawBuilder<unknown>,
  why: string | undefined,
): Promise<{ id: number; entries: number } | null> {
  const { workspaceId } = actor;
  await lockDomains(tx, workspaceId, 'exclusive');
  const lifting = await moveOffList(tx, workspaceId, list, where, {
    why: why || null,
    liftedBy: actor.email,
  });
  if (lifting.entries === 0) {
    await dropLifting(tx, workspaceId, lifting.id);
    return null;
  }
  await countEntries(tx, workspaceId, list, liftedByReason(workspaceId, lifting.id, -1));
  const keys = liftedKeys(workspaceId, lifting.id);
  if (list === 'domain') await unblockDomains(tx, workspaceId, keys);
  else {
    await adjustForAddresses(tx, workspaceId, keys, -1);
    if (await hasHashes(tx, workspaceId)) await deleteHashesOf(tx, workspaceId, keys);
  }
  return lifting;
}

/** Puts back what a lifting took off, with its old reasons and dates. What is on the list again by then stays as it is. */
export async function undoLiftingOf(
  tx: TenantTx,
  actor: Actor,
  liftingId: number,
): Promise<{ restored: number }> {
  const { workspaceId } = actor;
  await lockDomains(tx, workspaceId, 'exclusive');
  const lifting = await lockLifting(tx, workspaceId, liftingId, liftingDays);
  if (!lifting) throw new AppError('not_found', 'There is nothing to put back under this number.');
  if (lifting.undoneAt) throw new AppError('conflict', 'This was put back already.');
  if (lifting.isExpired) {
    throw new AppError(
      'gone',
      `This was removed more than ${liftingDays} days ago and is not kept any more.`,
    );
  }
  const { list } = lifting;
  const restored = await patiently(tx, () => putBack(tx, workspaceId, list, liftingId));
  await countEntries(tx, workspaceId, list, backByReason(workspaceId, list, liftingId));
  if (list === 'domain') await blockDomains(tx, workspaceId, backDomains(workspaceId, liftingId));
  else await adjustForAddresses(tx, workspaceId, backKeys(workspaceId, liftingId), 1);
  await recordAudit(tx, workspaceId, {
    actor: actor.email,
    action: 'suppressions.lifting_undone',
    subject: `lifting:${liftingId}`,
    details: { list, restored, leftAsIs: lifting.entries - restored },
  });
  await recordActivity(tx, workspaceId, {
    action: 'Suppression Restored',
    details: `${countOf(list, restored)} put back on the suppression list`,
    status: 'completed',
    icon: 'user-off',
    iconColor: 'warning',
    actor: actor.email,
  });
  return { restored };
}

const tell = (tx: TenantTx, actor: Actor, action: string, details: string) =>
  recordActivity(tx, actor.workspaceId, {
    action,
    details,
    status: 'completed',
    icon: 'user-check',
    iconColor: 'success',
    actor: actor.email,
  });
