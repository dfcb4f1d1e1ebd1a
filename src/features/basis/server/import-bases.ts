import { sql } from 'kysely';
import { selectFormerContacts } from '#features/review/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { SaidBasis } from '../contract.ts';
import { codeOf } from '../rules.ts';
import { takeBackPiece, takeOutOfHistory } from './changes/piece-queries.ts';
import { addedToCounts, holdBases } from './count-queries.ts';

/** What a file says of the marketing basis of its contacts. */
export interface ImportedBases {
  importId: number;
  /**
   * The table of its rows, as `addImported` takes it: fate 0 is new, 1 was there; a detail tells of
   * a former address.
   */
  judged: string;
  /**
   * The table with `basis`, `basis_source` and `basis_date` of the rows, by `line`; null for none.
   */
  ofRows: string | null;
  /** Of the rows that do not say it themselves. */
  ofFile: SaidBasis | undefined;
  changedBy: string | null;
}

const none = sql.lit(codeOf('none'));

/**
 * Says the basis of an import's contacts, in its transaction. New contacts get what their row says.
 * Those that were there get it only while they are unknown, except for a none: it wins over
 * everything, as in a merge. Of several rows of one address a none wins, then the strongest basis.
 *
 * Contacts that somebody is deleting at this moment are passed over, as in `addImported`.
 */
export async function sayImported(tx: TenantTx, workspaceId: number, imported: ImportedBases): Promise<void> {
  const { importId, judged, ofRows, ofFile, changedBy } = imported;
  if (!ofRows && (!ofFile || ofFile.basis === 'unknown')) return;
  await holdBases(tx, workspaceId);
  const rows = (fate: Fragment) => saidRows(imported, fate);
  await sql`
    insert into basis_changes (workspace_id, how, basis, source, source_id, changed_by)
    select distinct ${workspaceId}::bigint, 'import', r.basis, r.source, ${importId}::bigint, ${changedBy}
    from (${rows(sql`n.fate in (0, 1)`)}) r`.execute(tx);
  const change = sql`
    join basis_changes h on h.workspace_id = ${workspaceId} and h.how = 'import' and h.source_id = ${importId}
      and h.basis = s.basis and coalesce(h.source, '') = coalesce(s.source, '')`;
  const noted = (put: Fragment) => sql`
    noted as (
      update basis_changes b set contacts = b.contacts + p.contacts
      from (select change_id, count(*) as contacts from ${put} group by change_id) p
      where b.workspace_id = ${workspaceId} and b.id = p.change_id
    )`;
  await sql`
    with put as (
      insert into contact_bases (workspace_id, contact_id, basis, given_on, change_id)
      select ${workspaceId}::bigint, s.id, s.basis, s.given_on, h.id
      from (${rows(sql`n.fate = 0`)}) s ${change} order by s.id
      returning basis, change_id
    ),
    ${addedToCounts(workspaceId, sql`select basis, count(*) as contacts from put group by basis`)},
    ${noted(sql`put`)}
    select 1`.execute(tx);
  const former = await selectFormerContacts(
    tx,
    workspaceId,
    `select n.domain, n.local from ${judged} n where n.fate = 1 and n.detail is not null`,
  );
  await sql`
    with there as materialized (
      select c.id, c.domain, c.local from contacts c
      where c.workspace_id = ${workspaceId} and c.state <> 2 and (c.domain, c.local) in (
        select n.domain, n.local from ${sql.table(judged)} n where n.fate = 1
      )
      order by c.id for key share skip locked
    ),
    once as materialized (
      select c.id, f.domain, f.local
      from unnest(${former.map(({ id }) => id)}::bigint[], ${former.map(({ domain }) => domain)}::text[],
        ${former.map(({ local }) => local)}::text[]) as f (id, domain, local)
      join contacts c on c.workspace_id = ${workspaceId} and c.id = f.id
      order by c.id for key share of c skip locked
    ),
    said as (
      select distinct on (t.id) t.id, r.basis, r.source, r.given_on
      from (select * from there union all select * from once) t
      join (${rows(sql`n.fate = 1`)}) r on r.domain = t.domain and r.local = t.local
      order by t.id, r.basis = ${none} desc, r.basis, r.line
    ),
    wanted as materialized (
      select s.id, s.basis, s.given_on, h.id as change_id,
        b.basis as was, b.given_on as was_on, b.change_id as was_by
      from said s ${change}
      left join contact_bases b on b.workspace_id = ${workspaceId} and b.contact_id = s.id
      where coalesce(b.basis, 0) = 0 or (s.basis = ${none} and b.basis <> ${none})
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
    ${noted(sql`wanted`)}
    select 1`.execute(tx);
  const mine = sql`workspace_id = ${workspaceId} and how = 'import' and source_id = ${importId}`;
  await sql`delete from basis_changes where ${mine} and contacts = 0`.execute(tx);
  await sql`update basis_changes set is_open = false where ${mine}`.execute(tx);
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
  const from = sql`from ${sql.table(judged)} n`;
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

/** Of how many contacts an import has said the basis. */
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
  const { rows } = await sql<{ id: number }>`
    select h.id from basis_changes h
    where h.workspace_id = ${workspaceId} and h.how = 'import' and h.source_id = ${importId}
      and h.undone_at is null
    order by h.id limit 100`.execute(tx);
  let looked = 0;
  for (const { id } of rows) {
    looked += await takeBackPiece(tx, workspaceId, id, limit - looked);
    if (looked < limit)
      looked += await takeOutOfHistory(tx, workspaceId, id, limit - looked, { binStays: true });
    if (looked >= limit) return looked;
    await sql`
      update basis_changes set undone_at = now() where workspace_id = ${workspaceId} and id = ${id}`.execute(
      tx,
    );
  }
  return Math.max(looked, rows.length);
}
