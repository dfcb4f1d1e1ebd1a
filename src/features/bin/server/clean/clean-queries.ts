import { sql } from 'kysely';
import type { WiderPolicy } from '#features/addresses/rules.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { CleanReason } from '../../contract.ts';
import { reasonCodes } from '../removal-queries.ts';
import { importsThatKeep } from './let-in-queries.ts';

export interface LocalToJudge {
  id: number;
  local: string;
  domain: string;
  importId: number | null;
}

/**
 * Valid contacts whose local part is not plainly sound: something other than runs of letters,
 * digits and the common marks with single dots, or too long. The rest need no second look. With
 * `after`, they come in id order from there on. With null, any of them come, and the query may run
 * in parallel.
 */
export async function selectLocalsToJudge(
  tx: TenantTx,
  workspaceId: number,
  after: number | null,
  limit: number,
): Promise<LocalToJudge[]> {
  const { rows } = await sql<LocalToJudge>`
    select id, local, domain, import_id as "importId" from contacts
    where workspace_id = ${workspaceId} and state = 0
      and (length(local) > 64 or length(local) + length(domain) > 253 or local !~ '^[a-z0-9_+-]+(\\.[a-z0-9_+-]+)*$')
      ${after === null ? sql`` : sql`and id > ${after} order by id`}
    limit ${limit}`.execute(tx);
  return rows;
}

/** What a clean found out about domains and local parts. The stored states need no list. */
export interface Judged {
  workspaceId: number;
  invalidDomains: readonly string[];
  /**
   * Domains outside the UK rule, by the narrowest policy that keeps them. `never`: no policy does.
   */
  foreign: Readonly<Record<WiderPolicy | 'never', readonly string[]>>;
  invalidIds: readonly number[];
  /** Those of the invalid ones that are in a foreign domain. */
  invalidForeignIds: readonly number[];
}

const isIn = (domains: readonly string[]): Fragment => sql`c.domain = any(${[...domains]}::text[])`;
const isOneOf = (ids: readonly number[]): Fragment => sql`c.id = any(${[...ids]}::bigint[])`;

/**
 * True for a contact `c` of such a domain whose import had a policy of its own that keeps the
 * domain. The imports are read in the same statement as the contacts, so one that commits meanwhile
 * counts with what it brought.
 */
export const isLetIn = (workspaceId: number, narrowest: WiderPolicy): Fragment =>
  sql`(c.import_id in (${importsThatKeep(workspaceId, narrowest)})) is true`;

/** True for a valid contact `c` outside the UK rule that is not invalid by the current rules. */
const isForeign = ({ workspaceId, foreign, invalidForeignIds }: Judged, letIn: boolean): Fragment => {
  const kept = (policy: WiderPolicy) =>
    sql`(${isIn(foreign[policy])} and ${letIn ? sql`` : sql`not`} (${isLetIn(workspaceId, policy)}))`;
  return sql`c.state = 0 and not (${isOneOf(invalidForeignIds)}) and (
    ${kept('likely')} or ${kept('any_but_foreign_cctld')} ${letIn ? sql`` : sql`or ${isIn(foreign.never)}`})`;
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
