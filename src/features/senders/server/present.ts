import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { SenderDomain } from '../contract.ts';
import { checksOf, requirementsOf, stateOfDomain } from '../rules/judge.ts';
import { keptUntil, waitingKey } from '../rules/keys.ts';
import { type Place, recordsOf } from '../rules/records.ts';
import type { SendersContext } from './context.ts';
import { type DomainRow, type KeyRow, selectDomain, selectDomains, selectKeys } from './queries.ts';

/** A sender domain as callers see it. */
function present(row: DomainRow, keys: readonly KeyRow[], place: Place): SenderDomain {
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
    requirements: requirementsOf(checks),
  };
}

/** All sender domains of a workspace. */
export async function listAll(
  { placeFor }: Pick<SendersContext, 'placeFor'>,
  tx: TenantTx,
  workspaceId: number,
): Promise<SenderDomain[]> {
  const place = await placeFor(tx, workspaceId);
  const rows = await selectDomains(tx, workspaceId);
  const ids = rows.map(({ id }) => id);
  const keys = await selectKeys(tx, workspaceId, ids);
  return rows.map((row) =>
    present(
      row,
      keys.filter(({ domainId }) => domainId === row.id),
      place,
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
  { placeFor }: Pick<SendersContext, 'placeFor'>,
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<SenderDomain> {
  const { row, keys } = await needDomain(tx, workspaceId, id);
  return present(row, keys, await placeFor(tx, workspaceId));
}
