import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import { takeLock, tryLock } from '#platform/server/locks.ts';
import type { Starts } from '#platform/server/start-limits.ts';
import { givenByHashes, hasHashes, nextOfHash } from '../hash-queries.ts';
import { listLock, listStartsLock } from '../locks.ts';
import { changesOfRaised, raiseReasons, raising } from '../reason-queries.ts';

/** Imported lists, and the entries they bring. */

export interface BatchCounts {
  lines: number;
  added: number;
  alreadyThere: number;
  invalid: number;
  domains: number;
  hashes: number;
  recognised: number;
}

export type BatchRow = {
  id: number;
  fileName: string;
  fileSize: number;
  fileKey: string | null;
  receiptKey: string | null;
  reason: string;
  form: string;
  status: 'processing' | 'completed' | 'failed';
  error: string | null;
  createdBy: string | null;
  createdByName: string | null;
  createdAt: Date;
} & { [Count in keyof BatchCounts]: number | null };

/** Begins the record of a list. */
export async function insertBatch(
  tx: TenantTx,
  workspaceId: number,
  batch: { fileName: string; reason: string; form: string; createdBy: string },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into suppression_batches (workspace_id, source, file_name, reason, form, created_by)
    values (${workspaceId}, 'file', ${batch.fileName}, ${batch.reason}, ${batch.form}, ${batch.createdBy})
    returning id`.execute(tx);
  return rows[0]?.id ?? 0;
}

/**
 * How many list imports a person started recently and the workspace has running. Whoever starts one
 * asks first in the same transaction, and holds a lock until its end, so that many starts at the
 * same moment are all counted. A list whose upload died with its process counts for an hour.
 */
export async function countStarts(
  tx: TenantTx,
  workspaceId: number,
  of: { createdBy: string; aMinute: number },
): Promise<Starts> {
  await takeLock(tx, listStartsLock, workspaceId);
  const { rows } = await sql<Starts>`
    select (
      select ceil(60 - extract(epoch from clock_timestamp() - created_at))::int from suppression_batches
      where workspace_id = ${workspaceId} and source = 'file' and created_by = ${of.createdBy}
        and created_at > clock_timestamp() - interval '1 minute'
      order by created_at desc offset ${of.aMinute - 1}::bigint limit 1
    ) as "secondsToWait", (
      select count(*) from suppression_batches
      where workspace_id = ${workspaceId} and source = 'file' and status = 'processing'
        and created_at > now() - interval '1 hour'
    ) as "underWay"`.execute(tx);
  return rows[0] ?? { secondsToWait: null, underWay: 0 };
}

/** Notes where the file is. */
export async function noteFile(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  file: { key: string; size: number },
): Promise<void> {
  await sql`
    update suppression_batches set file_key = ${file.key}, file_size = ${file.size}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Completes the record of an imported list. Throws when it has ended already. */
export async function completeBatch(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  { counts, receiptKey }: { counts: BatchCounts; receiptKey: string | null },
): Promise<void> {
  const { numAffectedRows } = await sql`
    update suppression_batches set
      status = 'completed', error = null, finished_at = now(), receipt_key = ${receiptKey}, lines = ${counts.lines},
      added = ${counts.added}, already_there = ${counts.alreadyThere}, invalid = ${counts.invalid},
      domains = ${counts.domains}, hashes = ${counts.hashes}, recognised = ${counts.recognised}
    where workspace_id = ${workspaceId} and id = ${id} and status = 'processing'`.execute(tx);
  if (numAffectedRows !== 1n) throw new Error(`the list ${id} has ended already`);
}

/** Longer than an upload may take. */
const uploadsEndWithin = sql`interval '2 hours'`;

/**
 * Ends the records of uploads whose process died before the file was here, and returns their
 * numbers.
 */
export async function failAbandoned(tx: TenantTx, workspaceId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update suppression_batches set status = 'failed', finished_at = now(),
      error = 'The upload was cut off. Nothing was imported; please try again.'
    where workspace_id = ${workspaceId} and source = 'file' and status = 'processing' and file_key is null
      and created_at < now() - ${uploadsEndWithin}
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The receipts of lists that ended more than `days` ago. */
export async function selectOldReceipts(
  tx: TenantTx,
  workspaceId: number,
  days: number,
): Promise<{ id: number; key: string }[]> {
  const { rows } = await sql<{ id: number; key: string }>`
    select id, receipt_key as key from suppression_batches
    where workspace_id = ${workspaceId} and receipt_key is not null
      and finished_at < now() - make_interval(days => ${days}::int)`.execute(tx);
  return rows;
}

/** Notes that the receipts of these lists are gone. */
export async function clearReceipts(
  tx: TenantTx,
  workspaceId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`
    update suppression_batches set receipt_key = null
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::bigint[])`.execute(tx);
}

/** Ends the record of a list whose import failed. */
export async function failBatch(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  message: string,
): Promise<void> {
  await sql`
    update suppression_batches set status = 'failed', finished_at = now(), error = ${message}
    where workspace_id = ${workspaceId} and id = ${id} and status = 'processing'`.execute(tx);
}

const batchColumns = sql`
  b.id, b.file_name as "fileName", coalesce(b.file_size, 0)::bigint as "fileSize", b.file_key as "fileKey",
  b.receipt_key as "receiptKey", b.reason, b.form, b.status, b.error, b.lines, b.added, b.already_there as "alreadyThere",
  b.invalid, b.domains, b.hashes, b.recognised, b.created_by as "createdBy", u.name as "createdByName",
  b.created_at as "createdAt"`;

/** The record of a list. */
export async function selectBatch(
  tx: TenantTx,
  workspaceId: number,
  id: number,
): Promise<BatchRow | undefined> {
  const { rows } = await sql<BatchRow>`
    select ${batchColumns} from suppression_batches b left join users u on u.email = b.created_by
    where b.workspace_id = ${workspaceId} and b.id = ${id} and b.source = 'file'`.execute(tx);
  return rows[0];
}

/** The records of lists, newest first, and how many there are. */
export async function selectBatches(
  tx: TenantTx,
  workspaceId: number,
  { after, skip, take }: { after: number | null; skip: number; take: number },
): Promise<{ rows: BatchRow[]; total: number }> {
  const { rows } = await sql<BatchRow>`
    select ${batchColumns} from suppression_batches b left join users u on u.email = b.created_by
    where b.workspace_id = ${workspaceId} and b.source = 'file'
      ${after === null ? sql`` : sql`and b.id < ${after}`}
    order by b.id desc offset ${skip} limit ${take}`.execute(tx);
  const counted = await sql<{ total: number }>`
    select count(*) as total from suppression_batches
    where workspace_id = ${workspaceId} and source = 'file'`.execute(tx);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/**
 * Whether this transaction may import a list now. Two at once would deadlock on each other's
 * entries.
 */
export const takeTurn = (tx: TenantTx, workspaceId: number): Promise<boolean> =>
  tryLock(tx, listLock, workspaceId);

/**
 * Waits until no list comes in. A list holds its new entries before it wants the figures, so
 * whoever adds entries under the figures' lock waits here first.
 */
export const awaitTurn = (tx: TenantTx, workspaceId: number): Promise<void> =>
  takeLock(tx, listLock, workspaceId);

export interface Source {
  batchId: number;
  createdBy: string | null;
}

/** Some entries of a list, column by column. */
export interface EntryLot {
  local: string[];
  domain: string[];
  hash: string[];
  /** The kind of each hash. */
  of: string[];
  reason: string[];
  note: (string | null)[];
  date: (string | null)[];
}

type Added = { part: string; entries: number }[];

/**
 * Puts addresses on the list. Those on it already say from then on if their owner has left, and
 * those that are new what a hashed list says of them. No hash of a new one can come later: only
 * another list brings any, and the hash of an erased person comes from an entry. Returns by reason
 * how many there are more, or fewer.
 */
export async function insertAddressLot(
  tx: TenantTx,
  workspaceId: number,
  lot: EntryLot,
  { batchId, createdBy }: Source,
): Promise<Added> {
  const { rows } = await sql<Added[number]>`
    with added as (
      insert into suppressions (workspace_id, local, domain, reason, note, created_by, created_at, batch_id)
      select ${workspaceId}::bigint, local, domain, reason, note, ${createdBy}, coalesce(date, now()), ${batchId}::bigint
      from unnest(${lot.local}::text[], ${lot.domain}::text[], ${lot.reason}::text[], ${lot.note}::text[],
                  ${lot.date}::timestamptz[]) as given (local, domain, reason, note, date)
      order by domain collate "C", local collate "C"
      on conflict (workspace_id, domain, local) do nothing returning reason
    )
    select reason as part, count(*) as entries from added group by reason`.execute(tx);
  const added = rows.reduce((sum, { entries }) => sum + entries, 0);
  if (added > 0 && (await hasHashes(tx, workspaceId))) {
    const hashed = givenByHashes(workspaceId, keysOfLot(lot));
    rows.push(...(await raiseReasons(tx, workspaceId, hashed)));
  }
  if (added === lot.reason.length) return rows;
  const given = sql`
    select local, domain, reason, note
    from unnest(${lot.local}::text[], ${lot.domain}::text[], ${lot.reason}::text[], ${lot.note}::text[])
      as given (local, domain, reason, note)`;
  return [...rows, ...(await raiseReasons(tx, workspaceId, given))];
}

const keysOfLot = ({ local, domain }: EntryLot) => sql`
  select * from unnest(${local}::text[], ${domain}::text[]) as given (local, domain)`;

/** Puts domains on the list. Returns by reason how many were new. */
export async function insertDomainLot(
  tx: TenantTx,
  workspaceId: number,
  lot: EntryLot,
  { batchId, createdBy }: Source,
): Promise<Added> {
  const { rows } = await sql<Added[number]>`
    with added as (
      insert into domain_suppressions (workspace_id, domain, reason, note, created_by, created_at, batch_id)
      select ${workspaceId}::bigint, domain, case reason when 'manual' then 'manual' else 'imported' end, note, ${createdBy},
             coalesce(date, now()), ${batchId}::bigint
      from unnest(${lot.domain}::text[], ${lot.reason}::text[], ${lot.note}::text[], ${lot.date}::timestamptz[])
        as given (domain, reason, note, date)
      order by domain collate "C"
      on conflict (workspace_id, domain) do nothing returning reason
    )
    select reason as part, count(*) as entries from added group by reason`.execute(tx);
  return rows;
}

/**
 * Stores hashes. One that is there already takes a weightier reason or a bounce, and belongs to
 * this list from then on. Returns by kind how many were new.
 */
export async function insertHashLot(
  tx: TenantTx,
  workspaceId: number,
  lot: EntryLot,
  { batchId }: Source,
): Promise<Added> {
  const { rows } = await sql<Added[number]>`
    with added as (
      insert into suppression_hashes as h (workspace_id, kind, hash, reason, refuses_all, created_at, batch_id)
      select ${workspaceId}::bigint, kind, decode(hash, 'hex'), reason,
             bounced and not holds_for_every_message(reason), coalesce(date, now()), ${batchId}::bigint
      from (
        select distinct on (kind collate "C", hash collate "C") kind, hash, reason, date,
               bool_or(reason = 'bounced') over (partition by kind collate "C", hash collate "C") as bounced
        from unnest(${lot.of}::text[], ${lot.hash}::text[], ${lot.reason}::text[], ${lot.date}::timestamptz[])
          as given (kind, hash, reason, date)
        order by kind collate "C", hash collate "C", reason_weight(reason) desc
      ) each_hash
      order by kind collate "C", hash collate "C"
      on conflict (workspace_id, kind, hash) do update
      set (reason, refuses_all) = (${nextOfHash}), batch_id = excluded.batch_id
      where (h.reason, h.refuses_all) <> (${nextOfHash})
      returning new.kind, old.kind is null as is_new
    )
    select kind as part, count(*) filter (where is_new) as entries from added group by kind`.execute(tx);
  return rows;
}

/** The numbers of the newest contact and the newest entry. 0: there is none. */
export interface Newest {
  contact: number;
  entry: number;
  /**
   * All that imports have brought up to this contact can be seen. One that is saving has taken its
   * numbers long before anybody sees its contacts, and others have come since.
   */
  settled: number;
}

export async function selectNewest(tx: TenantTx, workspaceId: number): Promise<Newest> {
  const { rows } = await sql<Newest>`
    select newest.contact, newest.entry, least(newest.contact, (
      select min(first_contact_id) from imports
      where workspace_id = ${workspaceId} and status in ('uploading', 'processing')
    ))::bigint as settled
    from (
      select
        coalesce((select max(id) from contacts where workspace_id = ${workspaceId}), 0)::bigint as contact,
        coalesce((select max(id) from suppressions where workspace_id = ${workspaceId}), 0)::bigint as entry
    ) newest`.execute(tx);
  return rows[0] ?? { contact: 0, entry: 0, settled: 0 };
}

/** Far more than are being added by hand and by programs at one moment. */
const addedAtOnce = 10_000;

/**
 * Gives an ordinary entry to each contact, and to each in the bin, if one of the list's hashes is
 * its own. Entries that are there already say from then on what the hash says. Returns by reason
 * how many entries there are more, or fewer. With `after` it looks only at what has come since: at
 * newer contacts, at the last that were added one by one (they may be seen in another order than
 * they are numbered), at newer entries of others, at entries that were put back recently, and at
 * contacts whose address changed recently. At the first look the address may have been another, and
 * whoever changed it, or put it on the list, could not see this list yet. The hashes are computed
 * separately, so that the join may use an index or hash them.
 */
export async function recogniseContacts(
  tx: TenantTx,
  workspaceId: number,
  kind: string,
  { batchId, createdBy }: Source,
  after?: Newest,
): Promise<Added> {
  const binAndList = sql`
    union all select domain, local from removed_contacts where workspace_id = ${workspaceId} and domain <> ''
    union all select domain, local from suppressions where workspace_id = ${workspaceId} and domain <> ''`;
  const changed = (newest: Newest) => sql`
    union all (
      select domain, local from contacts
      where workspace_id = ${workspaceId} and import_id is null order by -id limit ${addedAtOnce}
    )
    union all
    select c.domain, c.local from corrected_contacts k
    join contacts c on c.workspace_id = k.workspace_id and c.id = k.contact_id
    where k.workspace_id = ${workspaceId} and c.id <= ${newest.settled} and c.changed_at > now() - interval '1 hour'
      and c.domain <> ''
    union all
    select domain, local from suppressions
    where workspace_id = ${workspaceId} and id > ${newest.entry} and batch_id is distinct from ${batchId}::bigint and domain <> ''
    union all
    select l.domain, l.local from lifted_suppressions l
    where l.workspace_id = ${workspaceId} and l.lifting_id = any(array(
        select id from suppression_liftings
        where workspace_id = ${workspaceId} and list = 'email' and undone_at > now() - interval '1 day'
      ))
      and (select true from suppressions s where s.workspace_id = ${workspaceId} and s.id = l.id)`;
  const { rows } = await sql<Added[number]>`
    with own as materialized (
      select domain, local, address_hash(${kind}, local, domain, null) as hash
      from (
        select domain, local from contacts where workspace_id = ${workspaceId} and id > ${after?.settled ?? 0} and domain <> ''
        ${after ? changed(after) : binAndList}
      ) held where domain <> ''
    ),
    found as materialized (
      select distinct on (own.domain, own.local)
             own.local, own.domain, h.reason, h.refuses_all, h.created_at, 'Known from a hashed list' as note
      from own join suppression_hashes h on h.workspace_id = ${workspaceId} and h.kind = ${kind} and h.hash = own.hash
      where h.batch_id = ${batchId}
      order by own.domain, own.local
    ),
    made as (
      insert into suppressions (workspace_id, local, domain, reason, refuses_all, note, created_by, created_at, batch_id)
      select ${workspaceId}::bigint, local, domain, reason, refuses_all, note, ${createdBy}, created_at, ${batchId}::bigint
      from found order by domain, local
      on conflict (workspace_id, domain, local) do nothing returning reason
    ),
    ${raising(
      workspaceId,
      sql`
        select local, domain, reason, note from found
        union all select local, domain, 'bounced', note from found where refuses_all`,
    )}
    select part, sum(change)::int as entries
    from (select reason as part, 1 as change from made union all ${changesOfRaised}) changes
    group by part having sum(change) <> 0 order by part`.execute(tx);
  return rows;
}

/** The keys of the addresses that came with the list, as (domain, local). */
export const batchKeys = (workspaceId: number, batchId: number): RawBuilder<unknown> =>
  sql`select domain, local from suppressions where workspace_id = ${workspaceId} and batch_id = ${batchId}`;

/** The domains that came with the list. */
export const batchDomains = (workspaceId: number, batchId: number): RawBuilder<unknown> =>
  sql`select domain from domain_suppressions where workspace_id = ${workspaceId} and batch_id = ${batchId}`;

/** For joins over rows that have no statistics yet: whether the next ones are over very many. */
export async function expectMany(tx: TenantTx, areMany: boolean): Promise<void> {
  if (areMany) await sql`set local work_mem = '128MB'`.execute(tx);
  await sql`set local enable_nestloop = ${sql.raw(areMany ? 'off' : 'on')}`.execute(tx);
}
