import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { contactsNoted } from '#features/events/server/thread.ts';
import type { ImportedRows } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { idsPerBlock } from '../rules.ts';
import { rememberFieldNames } from './change-queries.ts';

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

/** What an import does to contacts, in the transactions of its engine. */
export const importing = {
  newContactId,
  insertImportedContacts,
  noteImportedContacts,
  writeSearchBlocks,
  rememberFieldNames,
};
