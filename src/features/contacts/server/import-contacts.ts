import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { contactsNoted } from '#features/events/server/thread.ts';
import type { ImportedRows } from '#features/rollups/server/index.ts';
import { averageWorkspace, type Fragment, type TenantTx } from '#platform/server/database.ts';
import { idsPerBlock } from '../rules.ts';
import { rememberFieldNames, selectFieldNames } from './field-names/queries.ts';

/** The SQL expression that gives a new contact its id. */
const newContactId = `nextval('contacts_id_seq')`;

/**
 * Inserts the rows of a piece in order and answers how many. A unique violation (23505) means that
 * somebody has added one of the addresses since the rows were judged, so judge again. ON CONFLICT
 * is not used: for 1.4 million rows it costs 10.7 s, and the plain insert 6.1 s.
 */
async function insertImportedContacts(
  client: ClientBase,
  source: ImportedRows,
  piece: number,
  target: { workspaceId: number; importId: number },
): Promise<number> {
  const { rowCount } = await client.query(
    `insert into contacts (workspace_id, id, local, domain, address, state, name, first_name, last_name, source, date, notes,
       attributes, import_id)
     overriding system value
     select $1, id, local, domain, address, state, name, first_name, last_name, source, date, notes, attributes, $2
     from ${source.rows} where piece = $3 and fate = 0`,
    [target.workspaceId, target.importId, piece],
  );
  return rowCount ?? 0;
}

/**
 * Makes an import's contacts findable by any part of their address. It may be committed before the
 * contacts are. A block is only a hint, so a block for contacts that never arrive does no harm.
 */
async function writeSearchBlocks(
  client: ClientBase,
  source: ImportedRows,
  workspaceId: number,
): Promise<void> {
  await client.query(
    `insert into contact_search_recent (workspace_id, first_id, last_id, addresses)
     select $1, min(id), max(id), string_agg(local || '@' || domain, E'\n')
     from ${source.rows} where fate = 0
     group by id / ${idsPerBlock}`,
    [workspaceId],
  );
}

/** Says in the stream which contacts an import has added. */
async function noteImportedContacts(
  tx: TenantTx,
  source: ImportedRows,
  { workspaceId, importId }: { workspaceId: number; importId: number },
): Promise<void> {
  await contactsNoted(
    workspaceId,
    { type: 'contact.created', subjectId: importId, areInARow: true },
    sql`select id from ${sql.table(source.rows)} where fate = 0`,
  ).execute(tx);
}

/**
 * The condition that a judged row means somebody who was there before it: a contact, or an earlier
 * row of the file. With "remove duplicates" off such a row is a new contact too, a further copy.
 */
const wasThere = (row: string): string => `(${row}.fate = 1 or (${row}.fate = 0 and ${row}.state = 2))`;

/**
 * Holds the contacts of a file that were there already, under this address or as one of
 * `formerIds`, so that nobody deletes them before the commit. `judged` is the table of its rows.
 * Waits for whoever is deleting one of them at this moment: that may fail
 * yet, and the contact would stay without what the file says of it. What is gone in the end is not
 * held.
 *
 * Comes before the bases and the lists, as in a deletion. Otherwise the two could wait for each
 * other.
 */
async function holdContactsThere(
  tx: TenantTx,
  workspaceId: number,
  judged: string,
  formerIds: readonly number[],
): Promise<void> {
  const there = await joinThoseThere(tx, workspaceId, judged);
  if (there.areAny)
    await sql`
      with held as materialized (
        select c.id from contacts c
        where c.workspace_id = ${there.workspace} and c.state <> 2 and (c.domain, c.local) in (
          select n.domain, n.local from ${sql.raw(judged)} n where ${sql.raw(wasThere('n'))}
        )
        order by c.id for key share
      )
      select count(*) from held`.execute(tx);
  await joinAsUsual(tx);
  if (formerIds.length === 0) return;
  await sql`
    select from contacts c
    where c.workspace_id = ${workspaceId} and c.id = any(${[...formerIds]}::bigint[])
    order by c.id for key share`.execute(tx);
}

/** In a workspace with fewer contacts, going through all of them takes a tenth of a second. */
const fewContacts = 50_000;

/** The rows of an import that mean somebody who was there before it. */
interface ThoseThere {
  areAny: boolean;
  /** The workspace's id, for a statement that joins them with what is kept of contacts. */
  workspace: Fragment;
}

/**
 * Whether any row of an import means somebody who was there before it. From here on these rows are
 * joined as it suits their number: a few are looked up among millions, many are joined as a whole.
 * The planner cannot tell, because the rows of an import have no statistics, and row by row many
 * would take minutes.
 */
async function joinThoseThere(tx: TenantTx, workspaceId: number, judged: string): Promise<ThoseThere> {
  const { rows } = await sql<{ there: number; contacts: number }>`
    select (select count(*) from ${sql.raw(judged)} n where ${sql.raw(wasThere('n'))}) as there, coalesce((
      select active + suppressed + invalid + duplicate from contact_counts
      where workspace_id = ${workspaceId}), 0) as contacts`.execute(tx);
  const { there = 0, contacts = 0 } = rows[0] ?? {};
  const areAny = there > 0;
  if (contacts >= fewContacts && there * 20 <= contacts) {
    await joinAsUsual(tx);
    return { areAny, workspace: averageWorkspace(workspaceId) };
  }
  await joinAsWhole(tx);
  return { areAny, workspace: sql`${workspaceId}::bigint` };
}

/** From here on, no row of one side of a join is looked up in the other by itself. */
async function joinAsWhole(tx: TenantTx): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(tx);
}

async function joinAsUsual(tx: TenantTx): Promise<void> {
  await sql`set local enable_nestloop = default`.execute(tx);
}

/** What an import does to contacts, in the transactions of its engine. */
export const importing = {
  newContactId,
  wasThere,
  insertImportedContacts,
  noteImportedContacts,
  holdContactsThere,
  joinThoseThere,
  joinAsWhole,
  joinAsUsual,
  writeSearchBlocks,
  rememberFieldNames,
  selectFieldNames,
};
