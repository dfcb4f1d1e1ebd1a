import { recordActivity } from '#features/activities/server/index.ts';
import { idna } from '#features/addresses/server/index.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { affectedCounts, blockDomain, holdFigures } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { DomainSuppression } from '../contract.ts';
import { readDomain } from '../rules.ts';
import { patiently } from './list-busy.ts';
import { shownDomain } from './lists.ts';
import { change, countEntries, type DomainSuppressionRow, insertDomain, selectDomain } from './queries.ts';

const thousands = new Intl.NumberFormat('en-GB');

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
