import type { ClientBase } from 'pg';
import { importing } from '#features/contacts/server/thread.ts';
import { anyFormerAddress, formerAddresses } from '#features/review/server/thread.ts';
import type { ImportedRows } from '#features/rollups/server/index.ts';
import { sqlState } from '#platform/server/database.ts';
import { isBusy, limitWaitStatement, trySessionLockStatement } from '#platform/server/locks.ts';
import { storedReasons } from '../rules/opt-out-words.ts';
import { importSlotsLock } from './locks.ts';

/**
 * The SQL that takes an import through its staging tables, on its engine's connection. `slot` is
 * its set of tables, 1 to 4.
 */

const slotCount = 4;

/**
 * Takes a free set of staging tables for as long as the connection lives. Returns null when all are
 * taken.
 */
export async function takeSlot(client: ClientBase): Promise<number | null> {
  for (let slot = 1; slot <= slotCount; slot++) {
    const { rows } = await client.query<{ taken: boolean }>(trySessionLockStatement(importSlotsLock, slot));
    if (rows[0]?.taken) return slot;
  }
  return null;
}

/** Longer than an autovacuum of the tables takes to give way (`deadlock_timeout`, 1 s). */
const truncatePatienceMs = 2_000;

/**
 * Empties the slot's tables. A dump of the database reads them until it is through, and TRUNCATE
 * would wait for that, so their rows are deleted then. `client` must not be in a transaction.
 */
export async function emptySlot(client: ClientBase, slot: number): Promise<void> {
  if (await truncateSlot(client, slot)) return;
  for (const table of tablesOf(slot)) await client.query(`delete from ${table}`);
}

/**
 * Empties the slot's tables at the end of an import, which has its outcome already. So this never
 * fails, and what it cannot empty at once is left to the next import that gets the slot.
 */
export async function clearSlot(client: ClientBase, slot: number): Promise<void> {
  await truncateSlot(client, slot).catch(() => undefined);
}

/** Returns false when somebody else holds one of the tables. */
async function truncateSlot(client: ClientBase, slot: number): Promise<boolean> {
  try {
    // Statements that are sent together are one transaction.
    await client.query(`${limitWaitStatement(truncatePatienceMs)}; truncate ${tablesOf(slot).join(', ')}`);
    return true;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return false;
  }
}

const tablesOf = (slot: number): string[] =>
  ['staging', 'judged', 'sums', 'dead_domains'].map((name) => `import_${name}_${slot}`);

/**
 * Notes the id from which the import's contacts start, before the first contact gets its id.
 * Returns the email address of the person who imports.
 */
export async function noteFirstContact(
  client: ClientBase,
  { workspaceId, importId, lease }: { workspaceId: number; importId: number; lease: string },
): Promise<string | null> {
  const { rows } = await client.query<{ actor: string | null }>(
    `update imports set first_contact_id = ${importing.newContactId}, last_contact_id = null
     where workspace_id = $1 and id = $2 and lease = $3::uuid
     returning actor`,
    [workspaceId, importId, lease],
  );
  if (!rows[0]) throw new Error(`import ${importId} is held by another run`);
  return rows[0].actor;
}

/** The COPY for the rows, with the cells in the order of these columns. */
export const stagingCopy = (slot: number, columns: readonly string[]): string =>
  `copy import_staging_${slot} (${columns.join(', ')}) from stdin`;

/** Yields the distinct domains of the staged rows, `atOnce` at a time. */
export async function* stagedDomains(
  client: ClientBase,
  slot: number,
  atOnce: number,
): AsyncGenerator<string[]> {
  await client.query('begin');
  try {
    await client.query(
      `declare staged_domains no scroll cursor for select distinct domain from import_staging_${slot} where domain <> ''`,
    );
    for (;;) {
      const { rows } = await client.query<{ domain: string }>(`fetch ${atOnce} from staged_domains`);
      if (rows.length === 0) break;
      yield rows.map((row) => row.domain);
    }
  } finally {
    await client.query('commit');
  }
}

/** Notes domains that take no mail, with the reason for each. */
export async function noteDeadDomains(
  client: ClientBase,
  slot: number,
  dead: readonly { domain: string; reason: string }[],
): Promise<void> {
  await client.query(
    `insert into import_dead_domains_${slot} (domain, reason) select domain, reason from unnest($1::text[], $2::text[]) as d (domain, reason)`,
    [dead.map((one) => one.domain), dead.map((one) => one.reason)],
  );
}

/** The two parts of an identity key, in the order of the contacts' index. */
export interface Key {
  domain: string;
  local: string;
}

/**
 * A range of the staged rows in identity key order: from the first key, up to but without the last.
 * Null is open.
 */
export interface Piece {
  number: number;
  from: Key | null;
  before: Key | null;
}

const smallestPiece = 60_000;
const mostPieces = 6;
const sampledRows = 20_000;

/**
 * Cuts the staged rows into pieces of about the same size, based on a sample. All rows of one
 * identity key are in one piece, and a piece is one range of the contacts' index, so pieces can be
 * judged separately and in parallel.
 */
export async function cutPieces(client: ClientBase, slot: number, staged: number): Promise<Piece[]> {
  const wanted = Math.min(mostPieces, Math.ceil(staged / smallestPiece));
  if (wanted <= 1) return [{ number: 0, from: null, before: null }];
  const percent = Math.min(100, Math.max(0.5, (100 * sampledRows) / staged));
  const { rows: cuts } = await client.query<Key>(
    `select distinct domain, local from (
       select distinct on (tile) tile, domain, local from (
         select domain, local, ntile(${wanted}) over (order by domain, local) as tile
         from import_staging_${slot} tablesample system (${percent})
       ) sampled
       order by tile, domain, local
     ) firsts
     where tile > 1
     order by domain, local`,
  );
  return [null, ...cuts].map((from, number) => ({ number, from, before: cuts[number] ?? null }));
}

export interface JudgeOptions {
  workspaceId: number;
  removeDuplicates: boolean;
  checkSuppressions: boolean;
  /** Some domains were noted that take no mail. */
  anyDeadDomain: boolean;
  /** Some rows say that somebody must not be mailed. */
  anyOptOut: boolean;
  /** Some rows have a slip that was mended. */
  anyMended: boolean;
  staged: number;
  /** Gives each row that will be imported its contact id. */
  giveIds: boolean;
}

/**
 * Decides the fate of every staged row of a piece, based on the contacts and the suppression list.
 * Returns how many there are, and writes them in identity key order, which the contacts' unique
 * index prefers: sorted, 1.4 million rows go in at half the cost of unsorted ones. The first match
 * wins: invalid (a domain that takes no mail), suppressed, duplicate, imported.
 *
 * Whoever one row of the file says not to mail is left out with every row of theirs. So is whoever
 * is suppressed at the address that the file has, before its slip was mended: the same person reads
 * at both. A bounce counts for that address alone.
 *
 * Addresses that people have corrected or merged away also count as duplicates. With "remove
 * duplicates" off, a further copy is imported and marked (state 2).
 */
export async function judgePiece(
  client: ClientBase,
  slot: number,
  piece: Piece,
  options: JudgeOptions,
): Promise<number> {
  const known = await selectKnown(client, options.workspaceId);
  // The staging table has no statistics. A large import against few contacts must not look up a
  // contact per row (20 s for 1.5 million); a small one against millions must.
  if (isLarge(options, known)) await client.query('set local enable_nestloop = off');
  await client.query(`set local work_mem = '192MB'`);
  const { rowCount } = await client.query(judgeStatement(slot, piece, options, known), [
    options.workspaceId,
    ...[piece.from, piece.before].flatMap((key) => (key === null ? [] : [key.domain, key.local])),
  ]);
  return rowCount ?? 0;
}

/** What to compare the rows with. The statement leaves out what the workspace has none of. */
interface Known {
  contacts: number;
  domainSuppressions: boolean;
  formerAddresses: boolean;
  hashes: string[];
}

const isLarge = ({ staged }: JudgeOptions, { contacts }: Known): boolean => staged * 20 > contacts;

async function selectKnown(client: ClientBase, workspaceId: number): Promise<Known> {
  const { rows } = await client.query<Known>(
    `select coalesce((select active + suppressed + invalid + duplicate from contact_counts where workspace_id = $1), 0) as contacts,
            exists (select from domain_suppressions where workspace_id = $1) as "domainSuppressions",
            ${anyFormerAddress} as "formerAddresses",
            array(select kind from unnest(array['md5', 'sha1', 'sha256', 'hmac']) as any_kind (kind) where exists (
              select from suppression_hashes h where h.workspace_id = $1 and h.kind = any_kind.kind)) as hashes`,
    [workspaceId],
  );
  return rows[0] ?? { contacts: 0, domainSuppressions: false, formerAddresses: false, hashes: [] };
}

/**
 * The condition that a row of `table` is in the piece. The piece's keys are the parameters from $2.
 */
const within = (table: string, piece: Piece): string => isWithin(`${table}.domain`, `${table}.local`, piece);

function isWithin(domain: string, local: string, piece: Piece): string {
  const conditions: string[] = [];
  if (piece.from) conditions.push(`(${domain}, ${local}) >= ($2, $3)`);
  if (piece.before) {
    const first = piece.from ? 4 : 2;
    conditions.push(`(${domain}, ${local}) < ($${first}, $${first + 1})`);
  }
  return conditions.join(' and ') || 'true';
}

function judgeStatement(slot: number, piece: Piece, options: JudgeOptions, known: Known): string {
  const byDomain = options.checkSuppressions && known.domainSuppressions;
  const byHash = options.checkSuppressions && known.hashes.length > 0;
  const bySlip = options.checkSuppressions && options.anyMended;
  const sets = [
    ...(bySlip ? [mendedSlips(slot, piece)] : []),
    ...(byDomain ? [blockedDomains(slot, piece, bySlip)] : []),
    ...(byHash ? hashedLines(slot, piece, known.hashes) : []),
    ...(bySlip ? suppressedSlips({ byDomain, hashes: known.hashes }) : []),
    ...(known.formerAddresses ? [formerOnes(slot, piece, isLarge(options, known))] : []),
  ];
  const { copy, fate, detail } = decisions(options, {
    ...{ byDomain, byHash, bySlip, byFormer: known.formerAddresses },
  });
  return `
    ${sets.length > 0 ? `with ${sets.join(', ')}` : ''}
    insert into import_judged_${slot}
      (piece, line, local, domain, address, state, name, first_name, last_name, source, date, notes, attributes,
       mended_from, mended_state, opt_out, opt_out_date, fate, first_line, detail, id)
    select ${piece.number}, judged.*, ${options.giveIds ? `case when fate = 0 then ${importing.newContactId} end` : 'null'}
    from (
      select s.line, s.local, s.domain, s.address,
        ${options.removeDuplicates ? 's.state' : `case when ${copy} then 2 else s.state end`},
        s.name, s.first_name, s.last_name, s.source, s.date, s.notes, s.attributes,
        s.mended_from, s.mended_state,
        ${options.anyOptOut ? 's.any_opt_out, s.any_opt_out_date' : 'null::smallint, null::date'}, ${fate} as fate, s.first_line, ${detail}
      from (
        select t.*, first_value(t.line) over (partition by t.domain, t.local order by t.line) as first_line
        ${options.anyOptOut ? anyOptOut : ''}
        from import_staging_${slot} t
        where ${within('t', piece)}
      ) s
      ${
        options.checkSuppressions
          ? `left join suppressions x on x.workspace_id = $1 and x.domain = s.domain and x.local = s.local and ${within('x', piece)}`
          : ''
      }
      ${options.anyDeadDomain ? `left join import_dead_domains_${slot} dead on dead.domain = s.domain` : ''}
      ${byDomain ? 'left join blocked b on b.domain = s.domain' : ''}
      ${byHash ? 'left join hashed h on h.line = s.line' : ''}
      ${bySlip ? 'left join left_by_slip g on g.domain = s.domain and g.local = s.local' : ''}
      ${known.formerAddresses ? 'left join former f on f.domain = s.domain and f.local = s.local' : ''}
      left join contacts c on c.workspace_id = $1 and c.domain = s.domain and c.local = s.local and c.state <> 2
        and ${within('c', piece)}
      order by s.domain, s.local, s.line
    ) judged`;
}

/**
 * The expressions of the judging statement: whether the row is a further copy, its fate, and the
 * detail of that. An address that a contact has now belongs to that contact, whoever had it before.
 */
function decisions(
  options: JudgeOptions,
  { byDomain, byHash, bySlip, byFormer }: Record<'byDomain' | 'byHash' | 'bySlip' | 'byFormer', boolean>,
): { copy: string; fate: string; detail: string } {
  const tests = [
    ...(options.anyOptOut ? ['s.any_opt_out is not null'] : []),
    ...(options.checkSuppressions ? ['x.id is not null'] : []),
    ...(byDomain ? ['b.domain is not null'] : []),
    ...(byHash ? ['h.line is not null'] : []),
    ...(bySlip ? ['g.domain is not null'] : []),
  ];
  const suppressed = tests.length === 0 ? 'false' : `(${tests.join(' or ')})`;
  const entries = ['x', ...(byHash ? ['h'] : []), ...(bySlip ? ['g'] : [])];
  const first = (column: string) => `coalesce(${entries.map((entry) => `${entry}.${column}`).join(', ')})`;
  const entry = { reason: first('reason'), date: first('created_at') };
  const copy = `(c.local is not null or s.line <> s.first_line${byFormer ? ' or f.local is not null' : ''})`;
  return {
    copy,
    fate: `case ${options.anyDeadDomain ? 'when dead.domain is not null then 3' : ''}
      when ${suppressed} then 2 ${options.removeDuplicates ? `when ${copy} then 1` : ''} else 0 end`,
    detail: `case ${options.anyDeadDomain ? 'when dead.domain is not null then dead.reason' : ''}
      ${options.anyOptOut ? optOutDetail : ''}
      ${options.checkSuppressions ? `when ${entry.reason} is not null then ${entry.reason} || ' ' || to_char(${entry.date} at time zone 'Europe/London', 'YYYY-MM-DD')` : ''}
      when ${suppressed} or c.local is not null then null
      else ${byFormer ? 'f.detail' : 'null'} end`,
  };
}

/**
 * What any row of the same address says against mailing: the strongest reason, the earliest date.
 */
const anyOptOut = `,
          min(t.opt_out) over (partition by t.domain, t.local) as any_opt_out,
          min(t.opt_out_date) over (partition by t.domain, t.local) as any_opt_out_date`;

const reasonNames = storedReasons.map((reason) => `'${reason}'`).join(', ');
const optOutDetail = `when s.any_opt_out is not null then
        'file ' || (array[${reasonNames}])[s.any_opt_out + 1] || coalesce(' ' || s.any_opt_out_date, '')`;

/**
 * The former addresses within the piece. For few rows, only the former addresses among the rows.
 */
const formerOnes = (slot: number, piece: Piece, isLargeImport: boolean): string => `
  former as materialized (${formerAddresses((domain, local) =>
    isLargeImport
      ? isWithin(domain, local, piece)
      : `(${domain}, ${local}) in (select t.domain, t.local from import_staging_${slot} t)`,
  )})`;

/**
 * Looks up each distinct domain once, not each row. A domain of up to four labels has so few
 * parents that each is looked up by itself in a hash of the list, which takes half as long as a
 * row for each parent.
 */
const blockedDomains = (slot: number, piece: Piece, bySlip: boolean): string => {
  const list = 'select p.domain from domain_suppressions p where p.workspace_id = $1';
  const parent = (name: string) => `substr(${name}, strpos(${name}, '.') + 1)`;
  const few = ['d.domain', parent('d.domain'), parent(parent('d.domain')), `split_part(d.domain, '.', -1)`];
  return `
  blocked as materialized (
    select d.domain
    from (
      select distinct t.domain from import_staging_${slot} t where ${within('t', piece)}
      ${bySlip ? 'union select mended_from from slips' : ''}
    ) d
    where case
      when d.domain like '%.%.%.%.%' then domain_and_parents(d.domain) && array(${list})
      else ${few.map((name) => `${name} in (${list})`).join(' or ')}
    end
  )`;
};

/**
 * The rows whose address is on a hashed list. Their hashes are computed separately: within the join
 * PostgreSQL could not look them up under row-level security.
 */
const hashedLines = (slot: number, piece: Piece, kinds: readonly string[]): string[] => [
  `own as materialized (
    select t.line, any_kind.kind, address_hash(any_kind.kind, t.local, t.domain, k.key) as hash
    from import_staging_${slot} t
    cross join unnest(array[${kinds.map((kind) => `'${kind}'`).join(', ')}]) as any_kind (kind)
    left join suppression_keys k on k.workspace_id = $1
    where t.domain <> '' and ${within('t', piece)}
  )`,
  `hashed as materialized (
    select own.line, min(h.created_at) as created_at,
      (array_agg(h.reason order by reason_weight(h.reason) desc, h.created_at))[1] as reason
    from own join suppression_hashes h on h.workspace_id = $1 and h.kind = own.kind and h.hash = own.hash
    group by own.line
  )`,
];

/** The addresses that were mended: what the file has is (local, mended_from). */
const mendedSlips = (slot: number, piece: Piece): string => `
  slips as materialized (
    select distinct t.local, t.domain, t.mended_from from import_staging_${slot} t
    where t.mended_from is not null and ${within('t', piece)}
  )`;

/**
 * Whoever is suppressed at the address that the file has, by the address they are mended to. The
 * few domains of the slips lead to their entries, however long the list is.
 */
const suppressedSlips = ({
  byDomain,
  hashes,
}: {
  byDomain: boolean;
  hashes: readonly string[];
}): string[] => [
  ...(hashes.length > 0
    ? [
        `own_slips as materialized (
    select m.local, m.domain, any_kind.kind, address_hash(any_kind.kind, m.local, m.mended_from, k.key) as hash
    from slips m
    cross join unnest(array[${hashes.map((kind) => `'${kind}'`).join(', ')}]) as any_kind (kind)
    left join suppression_keys k on k.workspace_id = $1
  )`,
      ]
    : []),
  `left_by_slip as materialized (
    select domain, local, min(created_at) as created_at,
      (array_agg(reason order by reason_weight(reason) desc, created_at))[1] as reason
    from (
      select m.domain, m.local, x.reason, x.created_at
      from slips m join suppressions x on x.workspace_id = $1 and x.domain = m.mended_from and x.local = m.local
      where x.domain = any(array(select distinct mended_from from slips)) and x.reason <> 'bounced'
      ${byDomain ? 'union all select m.domain, m.local, null, null from slips m join blocked on blocked.domain = m.mended_from' : ''}
      ${
        hashes.length > 0
          ? `union all
      select own_slips.domain, own_slips.local, h.reason, h.created_at
      from own_slips
      join suppression_hashes h on h.workspace_id = $1 and h.kind = own_slips.kind and h.hash = own_slips.hash
      where h.reason <> 'bounced'`
          : ''
      }
    ) said group by domain, local
  )`,
];

/** Sums up what the import adds to each domain, for the rollups. */
export async function sumUpJudged(client: ClientBase, slot: number, workspaceId: number): Promise<void> {
  await client.query(`set local work_mem = '192MB'`);
  await client.query(
    `insert into import_sums_${slot} (domain, valid, invalid, duplicate, known)
     select j.domain, j.valid, j.invalid, j.duplicate, d.domain is not null
     from (
       select domain, count(*) filter (where state = 0) as valid, count(*) filter (where state = 1) as invalid,
         count(*) filter (where state = 2) as duplicate
       from import_judged_${slot} where fate = 0 group by domain
     ) j
     left join contact_domains d on d.workspace_id = $1 and d.domain = j.domain`,
    [workspaceId],
  );
}

export interface JudgedCounts {
  imported: number;
  duplicates: number;
  suppressed: number;
  /** How many of those the file itself says not to mail. */
  optedOut: number;
  /** Rows whose domain takes no mail. */
  invalid: number;
  /**
   * The range of the new contacts' ids. Ids of other contacts may also be in it. Null when there
   * are none.
   */
  firstId: number | null;
  lastId: number | null;
}

/** The number of staged rows per fate. */
export async function countJudged(client: ClientBase, slot: number): Promise<JudgedCounts> {
  const { rows } = await client.query<{
    fate: number;
    rows: number;
    first: number | null;
    last: number | null;
    optedOut: number;
  }>(
    `select fate, count(*) as rows, count(opt_out) as "optedOut", min(id) as first, max(id) as last from import_judged_${slot} group by fate`,
  );
  const of = (fate: number) => rows.find((row) => row.fate === fate);
  return {
    imported: of(0)?.rows ?? 0,
    duplicates: of(1)?.rows ?? 0,
    suppressed: of(2)?.rows ?? 0,
    optedOut: of(2)?.optedOut ?? 0,
    invalid: of(3)?.rows ?? 0,
    firstId: of(0)?.first ?? null,
    lastId: of(0)?.last ?? null,
  };
}

/**
 * What the database decided about a row. Its `line` column holds the row's position in the file
 * (rules/position.ts), and `first_line` that of the first row with the same address.
 */
export interface JudgedRow {
  position: number;
  fate: number;
  firstPosition: number;
  detail: string | null;
}

/** The fates of the rows up to a position, for the sample of a dry run. */
export async function judgedUpTo(client: ClientBase, slot: number, position: number): Promise<JudgedRow[]> {
  const { rows } = await client.query<JudgedRow>(
    `select line as position, fate, first_line as "firstPosition", detail
     from import_judged_${slot} where line <= $1 order by line`,
    [position],
  );
  return rows;
}

/** The rows that the database left out, in file order, as lines of tab-separated text. */
export const leftOutCopy = (slot: number): string =>
  `copy (select line, fate, first_line, detail from import_judged_${slot} where fate <> 0 order by line) to stdout`;

/** The judged rows and their sums in the form that contacts expect; see `ImportedRows`. */
export const importedRows = (slot: number): ImportedRows => ({
  rows: `import_judged_${slot}`,
  sums: `import_sums_${slot}`,
});

/**
 * Limits the engine's session: a statement ends soon after the engine's process dies, and none runs
 * past the import's deadline.
 */
export async function limitSession(client: ClientBase, milliseconds: number): Promise<void> {
  await client.query(`set statement_timeout = ${Math.max(1000, Math.floor(milliseconds))}`);
  try {
    await client.query(`set client_connection_check_interval = '2s'`);
  } catch (error) {
    // Not every system offers it (it needs POLLRDHUP). Without it a statement just runs to its end.
    if (sqlState(error) !== '22023') throw error;
  }
}
