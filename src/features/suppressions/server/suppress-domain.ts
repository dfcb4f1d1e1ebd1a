import { recordActivity } from '#features/activities/server/index.ts';
import { idna } from '#features/addresses/server/index.ts';
import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import { affectedCounts, blockDomain, contactsUnder, holdFigures } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { formatCount } from '#platform/shared/words.ts';
import type { DomainPreview, DomainSuppression } from '../contract.ts';
import { readDomain } from '../rules.ts';
import { shownDomain } from './lists.ts';
import { patiently } from './patience.ts';
import { change, countEntries, type DomainSuppressionRow, insertDomain, selectDomain } from './queries.ts';

export async function suppressWholeDomain(
  tx: TenantTx,
  actor: Actor,
  { domain: text, note }: { domain: string; note?: string | null | undefined },
): Promise<DomainSuppression & { isNew: boolean }> {
  const domain = domainIn(text);
  return patiently(tx, () => blockOne(tx, actor, domain, note || null));
}

function domainIn(text: string): string {
  const read = readDomain(text, idna);
  if (!read.ok) throw new AppError('invalid_input', read.message, { fields: { domain: read.message } });
  return read.domain;
}

/** What suppressing a domain would do. */
export async function previewOf(tx: TenantTx, workspaceId: number, text: string): Promise<DomainPreview> {
  const domain = domainIn(text);
  const { contacts, suppressed } = await contactsUnder(tx, workspaceId, domain);
  const isListed = (await selectDomain(tx, workspaceId, domain)) !== undefined;
  return { domain, affectedCount: contacts, suppressedCount: suppressed, isListed };
}

async function blockOne(
  tx: TenantTx,
  actor: Actor,
  domain: string,
  note: string | null,
): Promise<DomainSuppression & { isNew: boolean }> {
  const { workspaceId } = actor;
  await holdFigures(tx, workspaceId);
  const added = await insertDomain(tx, workspaceId, {
    domain,
    reason: 'manual',
    note,
    createdBy: actor.email,
  });
  const entry = added ?? (await selectDomain(tx, workspaceId, domain));
  if (!entry) throw new AppError('conflict', 'Somebody else is changing this entry. Try again.');
  if (added) {
    await countEntries(tx, workspaceId, 'domain', change('manual', 1));
    await blockDomain(tx, workspaceId, domain);
  }
  const affected = (await affectedCounts(tx, workspaceId, [domain])).get(domain) ?? 0;
  if (added) await recordDomainSuppressed(tx, actor, added, affected);
  return { ...(await shownDomain(tx, workspaceId, entry.id, affected)), isNew: added !== undefined };
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
    details: `${domain}, ${formatCount(affected, 'contact')}`,
    status: 'completed',
    icon: 'world-off',
    iconColor: 'warning',
    actor: actor.email,
  });
}
