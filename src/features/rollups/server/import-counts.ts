import type { ClientBase } from 'pg';
import { sqlState } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  domainDeltaStatement,
  lockDomainsStatement,
  mergedSumsStatement,
  unsuppressedSumsStatement,
  workspaceLiteral,
} from './rollup-queries.ts';
/**
 * The contacts' side of an import, on the import engine's own connections. Names two tables:
 * - `rows` has the columns of a contact with the `id` it will have, `piece`, and `fate` (0: to be
 *   imported), each piece in the order of the identity key;
 * - `sums` has one row for each of their domains: domain, valid, invalid, duplicate.
 */
export interface ImportedRows {
  rows: string;
  sums: string;
}

/** A text that changes with every change of the workspace's suppression list. */
export async function suppressionsVersion(client: ClientBase, workspaceId: number): Promise<string> {
  const { rows } = await client.query<{ version: string }>(
    `select concat_ws(':',
       (select coalesce(max(id), 0) from suppressions where workspace_id = $1),
       (select coalesce(max(id), 0) from domain_suppressions where workspace_id = $1),
       (select coalesce(sum(entries), 0) from suppression_counts where workspace_id = $1),
       (select coalesce(max(id), 0) from suppression_liftings where workspace_id = $1),
       (select coalesce(max(undone_at), 'epoch') from suppression_liftings where workspace_id = $1)) as version`,
    [workspaceId],
  );
  return rows[0]?.version ?? '';
}

/**
 * Adds the inserted contacts to the rollups. An import does this last before it commits, because
 * from then on it blocks others that change the same figures.
 *
 * `unsuppressedAt` is the version of the suppression list by which no imported row is suppressed.
 * Null when the list was not looked at. If the list has not changed since, the sums need not be
 * compared with it again.
 */
export async function countImportedContacts(
  client: ClientBase,
  source: ImportedRows,
  workspaceId: number,
  unsuppressedAt: string | null,
): Promise<void> {
  const hashed = await suppressHashedContacts(client, source, workspaceId);
  await client.query(lockDomainsStatement(workspaceId, 'shared'));
  if (hashed !== (await hasHashes(client, workspaceId))) {
    throw new AppError(
      'conflict',
      'A suppression list came in at this very moment. Nothing was imported; please try again.',
    );
  }
  // These temporary sets have no statistics, and a nested loop over them costs minutes.
  await client.query('set local enable_nestloop = off');
  if (unsuppressedAt !== null && unsuppressedAt === (await suppressionsVersion(client, workspaceId))) {
    await addSums(client, workspaceId, source.sums);
  } else {
    await client.query(
      domainDeltaStatement(workspaceId, sumsBesideList(source, workspaceId), { isImport: true }),
    );
  }
}

async function addSums(client: ClientBase, workspaceId: number, sums: string): Promise<void> {
  if (await mostAreNew(client, workspaceId, sums)) {
    await client.query('savepoint merging; set local enable_hashjoin = off');
    try {
      await client.query(mergedSumsStatement(workspaceId, sums));
      await client.query('release savepoint merging; set local enable_hashjoin = on');
      return;
    } catch (error) {
      if (sqlState(error) !== '23505') throw error;
      await client.query('rollback to savepoint merging');
    }
  }
  await client.query(unsuppressedSumsStatement(workspaceId, sums));
}

/** Fewer domains are added one by one in no time. */
const fewest = 5_000;

/**
 * Whether the import has so many domains beside those of the workspace that reading them all costs
 * less than what it saves.
 */
async function mostAreNew(client: ClientBase, workspaceId: number, sums: string): Promise<boolean> {
  const { rows } = await client.query<{ most: boolean }>(
    `select added.domains >= ${fewest} and added.domains * 4 >= coalesce(known.domains, 0) as most
     from (select count(*) as domains from ${sums}) added
     left join contact_counts known on known.workspace_id = $1`,
    [workspaceId],
  );
  return rows[0]?.most ?? false;
}

async function hasHashes(client: ClientBase, workspaceId: number): Promise<boolean> {
  const { rows } = await client.query<{ hashed: boolean }>(
    'select exists (select from suppression_hashes where workspace_id = $1) as hashed',
    [workspaceId],
  );
  return rows[0]?.hashed ?? false;
}

/**
 * Adds suppression entries for inserted contacts that a hashed list contains: contacts imported
 * with the check off, or judged before that list came. Answers whether the workspace has hashed
 * lists at all.
 */
async function suppressHashedContacts(
  client: ClientBase,
  source: ImportedRows,
  workspaceId: number,
): Promise<boolean> {
  if (!(await hasHashes(client, workspaceId))) return false;
  await client.query(
    `select suppress_hashed_contacts(min(id), max(id)) from ${source.rows} where fate = 0 having count(*) > 0`,
  );
  return true;
}

/** What the rows add to each domain, including how many are suppressed. */
function sumsBesideList(source: ImportedRows, workspaceId: number): string {
  const columns = [
    ['valid', 0],
    ['invalid', 1],
    ['duplicate', 2],
  ] as const;
  return `
    select j.domain,
      ${columns.map(([name, state]) => `count(*) filter (where state = ${state}) as ${name}`).join(', ')},
      ${columns.map(([name, state]) => `count(*) filter (where state = ${state} and x.id is not null) as ${name}_suppressed`).join(', ')}
    from ${source.rows} j
    left join suppressions x on x.workspace_id = ${workspaceLiteral(workspaceId)} and x.domain = j.domain and x.local = j.local
    where fate = 0
    group by j.domain`;
}
