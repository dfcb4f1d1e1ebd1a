import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { SenderDomain } from '../contract.ts';
import { upToOrganisation } from '../rules/domain-name.ts';
import { type Complaints, checksOf, requirementsOf, stateOfDomain } from '../rules/judge.ts';
import { keptUntil, waitingKey } from '../rules/keys.ts';
import { linkBase, type Place, recordsOf } from '../rules/records.ts';
import type { SendersContext } from './context.ts';
import { type DomainRow, type KeyRow, selectDomain, selectDomains, selectKeys } from './queries.ts';

/** A sender domain as callers see it. */
function present(
  row: DomainRow,
  keys: readonly KeyRow[],
  { place, complaints }: { place: Place; complaints: Complaints },
): SenderDomain {
  const { id, domain, createdBy, createdAt, facts, checkedAt } = row;
  const checks = checksOf(domain, keys, facts, place);
  const waiting = waitingKey(keys);
  return {
    id,
    domain,
    createdAt: createdAt.toISOString(),
    createdBy,
    checkedAt: checkedAt?.toISOString() ?? null,
    state: stateOfDomain(checks, checkedAt !== null),
    keys: keys.map((key) => ({
      selector: key.selector,
      state: key.retiredAt ? 'retired' : key === waiting ? 'waiting' : 'signing',
      madeAt: key.madeAt.toISOString(),
      seenAt: key.seenAt?.toISOString() ?? null,
      keptUntil: key.retiredAt ? keptUntil(key.retiredAt).toISOString() : null,
    })),
    records: recordsOf(domain, keys, facts, place),
    checks,
    requirements: requirementsOf(checks, {
      linkSite: (facts && linkBase(domain, facts, place)) ?? place.publicUrl,
      complaints,
    }),
  };
}

type Context = Pick<SendersContext, 'placeFor' | 'complaints'>;

/** What became of the mail that each of these domains signs. */
async function complaintsOf(
  { complaints }: Context,
  tx: TenantTx,
  workspaceId: number,
  domains: ReadonlySet<string>,
): Promise<Map<string, Complaints>> {
  const found = new Map<string, Complaints>();
  for (const { from, sent, complained } of await complaints(tx, workspaceId)) {
    const signs = upToOrganisation(from).find((domain) => domains.has(domain));
    if (signs === undefined) continue;
    const before = found.get(signs) ?? none;
    found.set(signs, { sent: before.sent + sent, complained: before.complained + complained });
  }
  return found;
}

const none: Complaints = { sent: 0, complained: 0 };

/** All sender domains of a workspace. */
export async function listAll(context: Context, tx: TenantTx, workspaceId: number): Promise<SenderDomain[]> {
  const place = await context.placeFor(tx, workspaceId);
  const rows = await selectDomains(tx, workspaceId);
  const ids = rows.map(({ id }) => id);
  const keys = await selectKeys(tx, workspaceId, ids);
  const domains = new Set(rows.map(({ domain }) => domain));
  const complaints = await complaintsOf(context, tx, workspaceId, domains);
  return rows.map((row) =>
    present(
      row,
      keys.filter(({ domainId }) => domainId === row.id),
      { place, complaints: complaints.get(row.domain) ?? none },
    ),
  );
}

/** One sender domain with its keys. Throws `not_found`. */
export async function needDomain(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  options: { lock?: boolean } = {},
): Promise<{ row: DomainRow; keys: KeyRow[] }> {
  const row = await selectDomain(tx, workspaceId, id, options);
  if (!row) throw new AppError('not_found', 'This sender domain is not there any more. Reload the page.');
  return { row, keys: await selectKeys(tx, workspaceId, [id]) };
}

/** One sender domain as callers see it. */
export async function showOne(
  context: Context,
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<SenderDomain> {
  const { row, keys } = await needDomain(tx, workspaceId, id);
  const domains = new Set((await selectDomains(tx, workspaceId)).map(({ domain }) => domain));
  const complaints = await complaintsOf(context, tx, workspaceId, domains);
  const place = await context.placeFor(tx, workspaceId);
  return present(row, keys, { place, complaints: complaints.get(row.domain) ?? none });
}
