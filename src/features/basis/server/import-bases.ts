import { sql } from 'kysely';
import { importing } from '#features/contacts/server/thread.ts';
import type { FormerContact } from '#features/review/server/thread.ts';
import { averageWorkspace, type Fragment, type TenantTx } from '#platform/server/database.ts';
import type { SaidBasis } from '../contract.ts';
import { codeOf } from '../rules.ts';
import { canBeUndone } from './changes/change-queries.ts';
import { takeBackPiece, takeOutOfHistory } from './changes/piece-queries.ts';
import { addedToCounts, holdBases } from './count-queries.ts';

/** What a file says of the marketing basis of its contacts. */
export interface ImportedBases {
  importId: number;
  /**
   * The table of its rows, or a query in brackets, as `addImported` takes it: fate 0 is new, and
   * `importing.wasThere` tells who was there; a detail tells of a former address.
   */
  judged: string;
  /** The contacts that these former addresses mean. */
  former: readonly FormerContact[];
  /**
   * The table with `basis`, `basis_source` and `basis_date` of the rows, by `line`; null for none.
   */
  ofRows: string | null;
  /** The basis of the rows that do not say it themselves. */
  ofFile: SaidBasis | undefined;
  changedBy: string | null;
}

const none = sql.lit(codeOf('none'));
const wasThere = (row: string) => sql.raw(importing.wasThere(row));

/**
 * Says the basis of an import's contacts, in its transaction. New contacts get what their row says.
 * Those that were there get it only while they are unknown, except for a none: it wins over
 * everything, as in a merge, and is said again where another one can be undone. Among several rows
 * of one address a none wins, then the strongest basis. A row that becomes a further copy of a
 * contact speaks of both.
 *
 * Those that were there are held before (`importing.holdContactsThere`): whoever deletes one of
 * them wants the bases, too.
 */
export async function sayImported(tx: TenantTx, workspaceId: number, imported: ImportedBases): Promise<void> {
  const { importId, ofRows, ofFile, changedBy } = imported;
  if (!ofRows && (!ofFile || ofFile.basis === 'unknown')) return;
  await holdBases(tx, workspaceId);
  // The staged rows have no statistics. A join row by row would take minutes.
  await importing.joinAsWhole(tx);
  await sql`
    insert into basis_changes (workspace_id, how, basis, source, source_id, changed_by)
    select distinct ${workspaceId}::bigint, 'import', r.basis, r.source, ${importId}::bigint, ${changedBy}
    from (${saidRows(imported, sql`n.fate in (0, 1)`)}) r`.execute(tx);
  await sayOfNew(tx, workspaceId, imported);
  const there = await importing.joinThoseThere(tx, workspaceId, imported.judged);
  if (there.areAny) await sayOfThoseThere(tx, workspaceId, there.workspace, imported);
  await importing.joinAsUsual(tx);
  const mine = sql`workspace_id = ${workspaceId} and how = 'import' and source_id = ${importId}`;
  await sql`delete from basis_changes where ${mine} and contacts = 0`.execute(tx);
  await sql`update basis_changes set is_open = false where ${mine}`.execute(tx);
}

/** A statement for the end of a WITH: adds the rows of `put` (change_id) to the changes. */
const noted = (workspaceId: number, put: Fragment): Fragment => sql`
  noted as (
    update basis_changes b set contacts = b.contacts + p.contacts
    from (select change_id, count(*) as contacts from ${put} group by change_id) p
    where b.workspace_id = ${averageWorkspace(workspaceId)} and b.id = p.change_id
  )`;

/** New contacts have nothing yet that could be compared or kept. */
async function sayOfNew(tx: TenantTx, workspaceId: number, imported: ImportedBases): Promise<void> {
  await sql`
    with put as (
      insert into contact_bases (workspace_id, contact_id, basis, given_on, change_id)
      select ${workspaceId}::bigint, s.id, s.basis, s.given_on, h.id
      from (${saidRows(imported, sql`n.fate = 0`)}) s
      join basis_changes h on h.workspace_id = ${workspaceId} and h.how = 'import'
        and h.source_id = ${imported.importId} and h.is_open
        and h.basis = s.basis and coalesce(h.source, '') = coalesce(s.source, '')
      order by s.id
      returning basis, change_id
    ),
    ${addedToCounts(workspaceId, sql`select basis, count(*) as contacts from put group by basis`)},
    ${noted(workspaceId, sql`put`)}
    select 1`.execute(tx);
}

/** Those who were there, under this address or another that they had before. */
async function sayOfThoseThere(
  tx: TenantTx,
  workspaceId: number,
  workspace: Fragment,
  imported: ImportedBases,
): Promise<void> {
  const { importId, former } = imported;
  await sql`
    with named as materialized (
      select distinct on (r.domain, r.local) r.domain, r.local, r.basis, r.source, r.given_on
      from (${saidRows(imported, wasThere('n'))}) r
      order by r.domain, r.local, r.basis = ${none} desc, r.basis, r.line
    ),
    there as materialized (
      select c.id, r.basis, r.source, r.given_on
      from named r join contacts c on c.workspace_id = ${workspace} and c.domain = r.domain and c.local = r.local
      where c.state <> 2
      order by c.id for key share of c
    ),
    once as materialized (
      select c.id, r.basis, r.source, r.given_on
      from unnest(${former.map(({ id }) => id)}::bigint[], ${former.map(({ domain }) => domain)}::text[],
        ${former.map(({ local }) => local)}::text[]) as f (id, domain, local)
      join named r on r.domain = f.domain and r.local = f.local
      join contacts c on c.workspace_id = ${workspace} and c.id = f.id
      order by c.id for key share of c
    ),
    said as (
      select distinct on (t.id) t.* from (select * from there union all select * from once) t
      order by t.id, t.basis = ${none} desc, t.basis
    ),
    -- Each with the change that says the same. Found by sorting: a file may name a source in each
    -- row, and the planner knows nothing of these changes yet.
    changed as materialized (
      select * from (
        select id, basis, given_on, max(change_id) over (partition by basis, coalesce(source, '')) as change_id
        from (
          select id, basis, source, given_on, null::bigint as change_id from said
          union all
          select null, h.basis, h.source, null, h.id from basis_changes h
          where h.workspace_id = ${workspaceId} and h.how = 'import' and h.source_id = ${importId} and h.is_open
        ) either
      ) found
      where id is not null
    ),
    wanted as materialized (
      select s.id, s.basis, s.given_on, b.basis as was, b.given_on as was_on, b.change_id as was_by, s.change_id
      from changed s
      left join contact_bases b on b.workspace_id = ${workspace} and b.contact_id = s.id
      where coalesce(b.basis, 0) = 0 or (s.basis = ${none} and (b.basis <> ${none} or exists (
        select from basis_changes h where h.workspace_id = ${averageWorkspace(workspaceId)} and h.id = b.change_id
          and ${canBeUndone} and not (h.how = 'import' and h.source_id = ${importId})
      )))
    ),
    kept as (
      insert into former_bases (workspace_id, replaced_by, contact_id, basis, given_on, change_id)
      select ${workspaceId}::bigint, change_id, id, was, was_on, was_by from wanted
      where was is not null order by id
    ),
    put as (
      insert into contact_bases (workspace_id, contact_id, basis, given_on, change_id)
      select ${workspaceId}::bigint, id, basis, given_on, change_id from wanted order by id
      on conflict (workspace_id, contact_id) do update
      set basis = excluded.basis, given_on = excluded.given_on, change_id = excluded.change_id
    ),
    ${addedToCounts(
      workspaceId,
      sql`select basis, count(*) as contacts from wanted group by basis
        union all select was, -count(*) from wanted where was is not null group by was`,
    )},
    ${noted(workspaceId, sql`wanted`)}
    select 1`.execute(tx);
}

/**
 * The rows of a fate with what is said of each. A row that names a basis of its own takes source
 * and day of the file only where the basis is the file's.
 */
function saidRows({ judged, ofRows, ofFile }: ImportedBases, fate: Fragment): Fragment {
  const basis = ofFile && ofFile.basis !== 'unknown' ? codeOf(ofFile.basis) : null;
  const source = sql`${ofFile?.source || null}::text`;
  const givenOn = sql`${ofFile?.givenOn ?? null}::date`;
  const columns = sql`n.id, n.domain, n.local, n.line`;
  const from = sql`from ${sql.raw(judged)} n`;
  if (!ofRows)
    return sql`
      select ${columns}, ${basis}::smallint as basis, ${source} as source, ${givenOn} as given_on
      ${from} where ${fate}`;
  const isOfFile = sql`coalesce(m.basis, ${basis}::smallint) = ${basis}::smallint`;
  return sql`
    select ${columns}, coalesce(m.basis, ${basis}::smallint) as basis,
      coalesce(m.basis_source, case when ${isOfFile} then ${source} end) as source,
      coalesce(m.basis_date, case when ${isOfFile} then ${givenOn} end) as given_on
    ${from} join ${sql.table(ofRows)} m on m.line = n.line
    where ${fate} and coalesce(m.basis, ${basis}::smallint, 0) > 0`;
}

/** For how many contacts an import has said the basis. */
export async function countImportedBases(
  tx: TenantTx,
  workspaceId: number,
  importId: number,
): Promise<number> {
  const { rows } = await sql<{ contacts: number }>`
    select coalesce(sum(contacts - undone), 0)::bigint as contacts from basis_changes
    where workspace_id = ${workspaceId} and how = 'import' and source_id = ${importId}`.execute(tx);
  return rows[0]?.contacts ?? 0;
}

/**
 * Takes back what an import said of contacts that are still there, at most `limit` at a time.
 * Answers how many rows it looked at: none when there are no more. Contacts in the bin keep it, so
 * that they come back as they were. The removals' lock comes before.
 */
export async function takeBackImported(
  tx: TenantTx,
  workspaceId: number,
  importId: number,
  limit: number,
): Promise<number> {
  await holdBases(tx, workspaceId);
  const changes = await selectFirstChanges(tx, workspaceId, importId, limit);
  if (changes.length === 0) return 0;
  let looked = 0;
  for (let some = 1; some > 0 && looked < limit; looked += some)
    some = await takeBackPiece(tx, workspaceId, changes, limit - looked);
  for (let some = 1; some > 0 && looked < limit; looked += some)
    some = await takeOutOfHistory(tx, workspaceId, changes, limit - looked, { binStays: true });
  if (looked < limit)
    await sql`
      update basis_changes set undone_at = now()
      where workspace_id = ${workspaceId} and id = any(${changes}::bigint[])`.execute(tx);
  return Math.max(looked, changes.length);
}

/** As many changes of a file as are taken back together. */
const mostChanges = 1_000;

/** The first changes of an import that are in force: one, or several of so many contacts in all. */
async function selectFirstChanges(
  tx: TenantTx,
  workspaceId: number,
  importId: number,
  contacts: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      select id, sum(contacts) over (order by id rows between unbounded preceding and 1 preceding) as earlier
      from (
        select h.id, h.contacts - h.undone as contacts from basis_changes h
        where h.workspace_id = ${workspaceId} and h.how = 'import' and h.source_id = ${importId}
          and h.undone_at is null
        order by h.id limit ${mostChanges}
      ) first
    ) summed
    where coalesce(earlier, 0) < ${contacts} order by id`.execute(tx);
  return rows.map(({ id }) => id);
}
