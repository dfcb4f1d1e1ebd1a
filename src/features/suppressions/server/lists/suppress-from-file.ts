import { sql } from 'kysely';
import { adjustForAddresses, holdFigures } from '#features/rollups/server/thread.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { SuppressionReason } from '../../contract.ts';
import { giveReasonsOfHashes, hasHashes } from '../hash-queries.ts';
import { countEntries, countsGiven } from '../queries.ts';
import { giveReasons } from '../reason-queries.ts';
import { awaitTurn, batchKeys, expectMany } from './batch-queries.ts';

export interface OptedOutRows {
  /**
   * The name of a table with `domain`, `local`, `opt_out` (the place of the reason in `reasons`,
   * null for rows with nothing against mailing) and `opt_out_date`.
   */
  rows: string;
  reasons: readonly SuppressionReason[];
  /** The place of what says only that the address was suppressed where the file comes from. */
  bare: number;
  /** The file they come from; each entry's note names it. */
  fileName: string;
  /** The email address of the person who imports. */
  createdBy: string | null;
}

const manyRows = 10_000;

/**
 * Whether the workspace has hashed lists, so that contacts may get entries by them. Then waits
 * until no list comes in: it may hold the same entries, and wants the figures at its end.
 */
export async function awaitHashedLists(tx: TenantTx, workspaceId: number): Promise<boolean> {
  const areThere = await hasHashes(tx, workspaceId);
  if (areThere) await awaitTurn(tx, workspaceId);
  return areThere;
}

/**
 * Waits until no list comes in, then holds the suppression list: from here to the end of the
 * transaction, other changes of it and of the contacts wait.
 */
export async function holdList(tx: TenantTx, workspaceId: number): Promise<void> {
  await awaitTurn(tx, workspaceId);
  await holdFigures(tx, workspaceId);
}

/**
 * Puts on the list whom an imported file itself says not to mail, and counts their contacts over to
 * suppressed. Returns how many addresses are new on the list, which it holds (`holdList`).
 *
 * Our own exports call an address suppressed also where only its domain is. So whom the file gives
 * no reason for gets no entry while a domain covers them: they would stay suppressed when the
 * domain is lifted.
 */
export async function suppressFromFile(
  tx: TenantTx,
  workspaceId: number,
  { rows: table, reasons, bare, fileName, createdBy }: OptedOutRows,
): Promise<number> {
  await holdList(tx, workspaceId);
  const batch = await sql<{ id: number }>`
    insert into suppression_batches (workspace_id, source, file_name, reason, form, status, created_by, finished_at)
    values (${workspaceId}, 'import', ${fileName}, 'imported', 'plain', 'completed', ${createdBy}, now())
    returning id`.execute(tx);
  const batchId = batch.rows[0]?.id ?? 0;
  const isSaid = sql`opt_out is not null and not (opt_out = ${bare} and domain in (
    select d.domain from (select distinct domain from ${sql.ref(table)} where opt_out = ${bare}) d
    where exists (
      select from domain_suppressions s
      where s.workspace_id = ${workspaceId} and s.domain = any(domain_and_parents(d.domain))
    )
  ))`;
  const note = `From ${fileName}`.slice(0, 500);
  const { rows: added } = await sql<{ part: string; entries: number }>`
    with added as (
      insert into suppressions (workspace_id, local, domain, reason, note, created_by, created_at, batch_id)
      select distinct on (domain, local) ${workspaceId}::bigint, local, domain, (${[...reasons]}::text[])[opt_out + 1],
             ${note}, ${createdBy},
             coalesce(opt_out_date::timestamp at time zone 'Europe/London', now()), ${batchId}::bigint
      from ${sql.ref(table)} where ${isSaid}
      order by domain, local, opt_out, opt_out_date
      on conflict (workspace_id, domain, local) do nothing returning reason
    )
    select reason as part, count(*) as entries from added group by reason`.execute(tx);
  const total = added.reduce((sum, { entries }) => sum + entries, 0);
  const optedOut = await countOptedOut(tx, table);
  if (optedOut > total) {
    await expectMany(tx, optedOut > manyRows);
    const given = sql`
      select local, domain, (${[...reasons]}::text[])[opt_out + 1] as reason, ${note} as note
      from ${sql.ref(table)} where ${isSaid}`;
    await giveReasons(tx, workspaceId, given);
  }
  await expectMany(tx, total > manyRows);
  await sql`
    update suppression_batches set added = ${total} where workspace_id = ${workspaceId} and id = ${batchId}`.execute(
    tx,
  );
  if (total === 0) return 0;
  await countEntries(tx, workspaceId, 'email', countsGiven(added));
  await adjustForAddresses(tx, workspaceId, batchKeys(workspaceId, batchId), 1);
  await giveReasonsOfHashes(tx, workspaceId, batchKeys(workspaceId, batchId));
  return total;
}

async function countOptedOut(tx: TenantTx, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from ${sql.ref(table)} where opt_out is not null`.execute(tx);
  return rows[0]?.rows ?? 0;
}
