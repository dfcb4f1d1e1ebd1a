import { sql } from 'kysely';
import { sampledContacts } from '#features/rollups/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { CleanReason } from '../../contract.ts';
import { everyId, type IdRange, reasonCodes } from '../removal-queries.ts';
import type { OwnChoice } from './keepers.ts';
import { importsThatKeep } from './let-in-queries.ts';

export interface LocalToJudge {
  id: number;
  local: string;
  domain: string;
  importId: number | null;
}

/**
 * True when a contact's local part is not plainly sound: something other than runs of letters,
 * digits and the common marks with single dots, or too long. The rest need no second look.
 */
const mayBeUnsound: Fragment = sql`(
  length(c.local) > 64 or length(c.local) + length(c.domain) > 253
  or c.local !~ '^[a-z0-9_+-]+(\\.[a-z0-9_+-]+)*$')`;

/**
 * Valid contacts to judge. With a range, they come in the order of their ids. With null, any of
 * them come, and the query may run in parallel.
 */
export async function selectLocalsToJudge(
  tx: TenantTx,
  workspaceId: number,
  range: IdRange | null,
  limit: number,
): Promise<LocalToJudge[]> {
  const within = range && sql`and c.id between ${range.from} and ${range.to} order by c.id`;
  const { rows } = await sql<LocalToJudge>`
    select c.id, c.local, c.domain, c.import_id as "importId" from contacts c
    where c.workspace_id = ${workspaceId} and c.state = 0 and ${mayBeUnsound} ${within ?? sql``}
    limit ${limit}`.execute(tx);
  return rows;
}

/**
 * Some 16,000 contacts, those of them that are valid. `local` is null where it is plainly sound.
 */
export async function sampleValid(
  tx: TenantTx,
  workspaceId: number,
  all: number,
): Promise<(Omit<LocalToJudge, 'local'> & { local: string | null })[]> {
  const { rows } = await sql<Omit<LocalToJudge, 'local'> & { local: string | null }>`
    select c.id, c.domain, c.import_id as "importId", case when ${mayBeUnsound} then c.local end as local
    from ${sampledContacts(workspaceId, all)} where c.state = 0`.execute(tx);
  return rows;
}

/** The id before which so many contacts lie after `after`. */
export async function selectEndOfWindow(
  tx: TenantTx,
  workspaceId: number,
  after: number,
  contacts: number,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from contacts where workspace_id = ${workspaceId} and id > ${after}
    order by id offset ${contacts - 1} limit 1`.execute(tx);
  return rows[0]?.id ?? everyId.to;
}

/** What a clean found out about domains and local parts. The stored states need no list. */
export interface Judged {
  workspaceId: number;
  invalidDomains: readonly string[];
  /** Domains outside the UK rule, by the narrowest choice of an import that keeps them. */
  foreign: Readonly<Record<OwnChoice, readonly string[]>>;
  invalidIds: readonly number[];
  /** Those of the invalid ones that are in a foreign domain. */
  invalidForeignIds: readonly number[];
}

const isIn = (domains: readonly string[]): Fragment => sql`c.domain = any(${[...domains]}::text[])`;
const isOneOf = (ids: readonly number[]): Fragment => sql`c.id = any(${[...ids]}::bigint[])`;

/**
 * True for a contact `c` of such a domain whose import had a choice of its own that keeps the
 * domain. The imports are read in the same statement as the contacts, so one that commits meanwhile
 * counts with what it brought.
 */
export const isLetIn = (workspaceId: number, narrowest: OwnChoice): Fragment =>
  sql`(c.import_id in (${importsThatKeep(workspaceId, narrowest)})) is true`;

/** True for a valid contact `c` outside the UK rule that is not invalid by the current rules. */
const isForeign = ({ workspaceId, foreign, invalidForeignIds }: Judged, letIn: boolean): Fragment => {
  const ways = Object.entries(foreign).map(
    ([choice, domains]) =>
      sql`(${isIn(domains)} and ${letIn ? sql`` : sql`not`} (${isLetIn(workspaceId, choice as OwnChoice)}))`,
  );
  return sql`c.state = 0 and not (${isOneOf(invalidForeignIds)}) and (${sql.join(ways, sql` or `)})`;
};

const isInvalid = (judged: Judged): Fragment => sql`
  c.state = 1 or (c.state = 0 and (${isIn(judged.invalidDomains)} or ${isOneOf(judged.invalidIds)}))`;

/** True for contacts `c` whose reason is this one. */
const conditions: Record<CleanReason, (judged: Judged) => Fragment> = {
  duplicate: () => sql`c.state = 2`,
  invalid: isInvalid,
  nonUk: (judged) => isForeign(judged, false),
  letIn: (judged) => isForeign(judged, true),
};

/** True for a contact `c` that goes for one of the reasons. */
export const isToClean = (judged: Judged, reasons: readonly CleanReason[]): Fragment =>
  reasons.length === 0
    ? sql`false`
    : sql.join(
        reasons.map((reason) => sql`(${conditions[reason](judged)})`),
        sql` or `,
      );

/** The stored code of the reason why a contact `c` goes, when it does. */
export const cleanReason = (judged: Judged): Fragment => sql`(case
  when c.state = 2 then ${sql.lit(reasonCodes.duplicate)}
  when ${isInvalid(judged)} then ${sql.lit(reasonCodes.invalid)}
  else ${sql.lit(reasonCodes.nonUk)}
end)::smallint`;
