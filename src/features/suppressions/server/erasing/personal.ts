import { sql } from 'kysely';
import { adjustForAddresses, holdFigures } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Person, PersonalData } from '#platform/server/feature.ts';
import { nextOfHash } from '../hash-queries.ts';
import { patiently } from '../patience.ts';
import { change, countEntries } from '../queries.ts';

/** Why somebody is not mailed, and what was taken off the list. */
export const personal: PersonalData = {
  async export(tx, { workspaceId, local, domain }) {
    const { rows } = await sql<{ reason: string; note: string | null; since: Date; isLifted: boolean }>`
      select reason, note, created_at as since, false as "isLifted" from suppressions
      where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local}
      union all
      select reason, note, created_at, true from lifted_suppressions
      where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local}
      order by since`.execute(tx);
    return rows.length > 0 ? { suppressions: rows } : {};
  },
  // The entry stays as a keyed hash, which still keeps the address out of imports.
  erase: (tx, person) =>
    patiently(tx, async () => {
      const { workspaceId, local, domain } = person;
      await holdFigures(tx, workspaceId);
      await sql`
        delete from lifted_suppressions
        where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local}`.execute(tx);
      const { rows } = await sql<Entry>`
        delete from suppressions
        where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local}
        returning reason, refuses_all as "refusesAll", created_at as "createdAt"`.execute(tx);
      const [entry] = rows;
      if (!entry) return;
      await countEntries(tx, workspaceId, 'email', change(entry.reason, -1));
      await adjustForAddresses(tx, workspaceId, [{ local, domain }], -1);
      if (await keepHash(tx, person, entry)) await countEntries(tx, workspaceId, 'hash', change('hmac', 1));
    }),
};

interface Entry {
  reason: string;
  /** A bounce stands behind the reason. */
  refusesAll: boolean;
  createdAt: Date;
}

/**
 * Keeps an entry as a hash. One that is there already takes the weightier reason and keeps a
 * bounce; then this returns false.
 */
async function keepHash(
  tx: TenantTx,
  { workspaceId, local, domain }: Person,
  { reason, refusesAll, createdAt }: Entry,
): Promise<boolean> {
  await sql`
    insert into suppression_keys (workspace_id, key) values (${workspaceId}, gen_random_bytes(32))
    on conflict (workspace_id) do nothing`.execute(tx);
  const { rows } = await sql<{ isNew: boolean }>`
    insert into suppression_hashes as h (workspace_id, kind, hash, reason, refuses_all, created_at)
    select ${workspaceId}, 'hmac', address_hash('hmac', ${local}, ${domain}, k.key), ${reason}, ${refusesAll}, ${createdAt}
    from suppression_keys k where k.workspace_id = ${workspaceId}
    on conflict (workspace_id, kind, hash) do update
    set (reason, refuses_all) = (${nextOfHash})
    where (h.reason, h.refuses_all) <> (${nextOfHash})
    returning old.hash is null as "isNew"`.execute(tx);
  return rows[0]?.isNew ?? false;
}
