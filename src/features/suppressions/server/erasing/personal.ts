import { sql } from 'kysely';
import { adjustForAddresses, holdFigures } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Person, PersonalData } from '#platform/server/feature.ts';
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
      const { rows } = await sql<{ reason: string; createdAt: Date }>`
        delete from suppressions
        where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local}
        returning reason, created_at as "createdAt"`.execute(tx);
      const [entry] = rows;
      if (!entry) return;
      await countEntries(tx, workspaceId, 'email', change(entry.reason, -1));
      await adjustForAddresses(tx, workspaceId, [{ local, domain }], -1);
      if (await keepHash(tx, person, entry)) await countEntries(tx, workspaceId, 'hash', change('hmac', 1));
    }),
};

/**
 * Keeps an entry as a hash. One that is there already takes the weightier reason; then this returns
 * false.
 */
async function keepHash(
  tx: TenantTx,
  { workspaceId, local, domain }: Person,
  { reason, createdAt }: { reason: string; createdAt: Date },
): Promise<boolean> {
  await sql`
    insert into suppression_keys (workspace_id, key) values (${workspaceId}, gen_random_bytes(32))
    on conflict (workspace_id) do nothing`.execute(tx);
  const { rows } = await sql<{ isNew: boolean }>`
    insert into suppression_hashes as h (workspace_id, kind, hash, reason, created_at)
    select ${workspaceId}, 'hmac', address_hash('hmac', ${local}, ${domain}, k.key), ${reason}, ${createdAt}
    from suppression_keys k where k.workspace_id = ${workspaceId}
    on conflict (workspace_id, kind, hash) do update set reason = excluded.reason
    where reason_weight(excluded.reason) > reason_weight(h.reason)
    returning old.hash is null as "isNew"`.execute(tx);
  return rows[0]?.isNew ?? false;
}
