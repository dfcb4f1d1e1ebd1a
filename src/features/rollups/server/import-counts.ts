import type { ClientBase } from 'pg';
import { kyselyOn, sqlState } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  addedCountsStatement,
  domainDeltaStatement,
  dropNewDomainsStatement,
  knownDomainsStatement,
  lockDomains,
  newDomainsStatement,
  unsuppressedSumsStatement,
  workspaceLiteral,
} from './rollup-queries.ts';
/**
 * The contacts' side of an import, on the import engine's own connections. Names two tables:
 * - `rows` has the columns of a contact with the `id` it will have, `piece`, and `fate` (0: to be
 *   imported), each piece in the order of the identity key;
 * - `sums` has one row for each of their domains: domain, valid, invalid, duplicate, and whether
 *   the workspace knew it.
 */
export interface ImportedRows {
  rows: string;
  sums: string;
}

/** A text that changes with every change of the workspace's suppression list. */
async function suppressionsVersion(client: ClientBase, workspaceId: number): Promise<string> {
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

/** Fewer domains are added together with all others in no time. */
const fewest = 5_000;

/**
 * Adds the domains that the workspace does not have yet, with what they got, before the figures are
 * locked. Nobody sees them before the commit, so only who adds a contact at one of these domains
 * waits. Answers whether they were added: not when they are few, or when somebody has added one of
 * them at this moment.
 */
async function addNewDomains(
  client: ClientBase,
  { sums }: ImportedRows,
  workspaceId: number,
): Promise<boolean> {
  const { rows } = await client.query<{ many: boolean }>(
    `select count(*) >= ${fewest} as many from ${sums} where not known`,
  );
  if (!rows[0]?.many) return false;
  await client.query('savepoint new_domains');
  try {
    await client.query(newDomainsStatement(workspaceId, sums));
    await client.query('release savepoint new_domains');
    return true;
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    await client.query('rollback to savepoint new_domains');
    return false;
  }
}

/**
 * Adds the inserted contacts to the rollups. An import does this last before it commits, because
 * from then on it blocks others that change the same figures.
 *
 * `unsuppressedAt` is the version of the suppression list by which no imported row is suppressed.
 * Null when the list was not looked at. If the list has not changed since, the sums need not be
 * compared with it again. `newOnesAreThere` is the answer of `addNewDomains`. `areHashed`: the
 * workspace has hashed lists, and no other list is coming in.
 * @throws AppError `conflict` when the first hashed list has come in since that was asked.
 */
async function countImportedContacts(
  client: ClientBase,
  source: ImportedRows,
  workspaceId: number,
  {
    unsuppressedAt,
    newOnesAreThere,
    areHashed,
  }: { unsuppressedAt: string | null; newOnesAreThere: boolean; areHashed: boolean },
): Promise<void> {
  if (areHashed) await suppressHashedContacts(client, source);
  await lockDomains(kyselyOn(client), workspaceId, 'shared');
  if (!areHashed && (await hasHashes(client, workspaceId))) {
    throw new AppError(
      'conflict',
      'A suppression list came in at this very moment. Nothing was imported; please try again.',
    );
  }
  // These temporary sets have no statistics, and a nested loop over them costs minutes.
  await client.query('set local enable_nestloop = off');
  if (unsuppressedAt !== null && unsuppressedAt === (await suppressionsVersion(client, workspaceId))) {
    if (newOnesAreThere) await addToKnownDomains(client, source, workspaceId);
    else await client.query(unsuppressedSumsStatement(workspaceId, source.sums));
    return;
  }
  if (newOnesAreThere) await client.query(dropNewDomainsStatement(workspaceId, source.sums));
  await client.query(
    domainDeltaStatement(workspaceId, sumsBesideList(source, workspaceId), { isImport: true }),
  );
}

/** Adds to the domains that were known, and then to the counts of the workspace. */
async function addToKnownDomains(
  client: ClientBase,
  { sums }: ImportedRows,
  workspaceId: number,
): Promise<void> {
  // A merge join alone takes them in their order, as everybody does.
  await client.query('set local enable_hashjoin = off');
  const { rows } = await client.query<{ meant: number; changed: number; used: number }>(
    knownDomainsStatement(workspaceId, sums),
  );
  await client.query('set local enable_hashjoin = on');
  const { meant = 0, changed = 0, used = 0 } = rows[0] ?? {};
  if (changed !== meant) throw new Error(`${meant} domains were known, and only ${changed} are there`);
  await client.query(addedCountsStatement(workspaceId, sums, used));
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
 * with the check off, or judged before that list came.
 */
async function suppressHashedContacts(client: ClientBase, { rows }: ImportedRows): Promise<void> {
  await client.query(
    `select suppress_hashed_contacts(min(id), max(id)) from ${rows} where fate = 0 having count(*) > 0`,
  );
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

/** What an import does to the figures, in the transactions of its engine. */
export const importFigures = { suppressionsVersion, addNewDomains, countImportedContacts };
