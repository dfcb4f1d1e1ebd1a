import { sql } from 'kysely';
import { contactsWithSuppression } from '#features/contacts/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { isoTime } from '#platform/server/iso-time.ts';
import type { ExportColumn } from './export-queries.ts';

/** What an export may contain from the last verification. */

/**
 * Contacts with what suppresses them and their verdict. Joined on unique keys, which adds no rows.
 */
export const contactsWithVerdicts: Fragment = sql`${contactsWithSuppression}
  left join contact_verifications verified on verified.workspace_id = c.workspace_id and verified.contact_id = c.id
  left join verdict_profiles profile on profile.workspace_id = verified.workspace_id and profile.id = verified.profile_id
  left join contact_suggestions suggested on suggested.workspace_id = c.workspace_id and suggested.contact_id = c.id`;

/** A run over all contacts up to an id. It confirmed every verdict that it did not rewrite. */
export interface WholeRun {
  throughId: number;
  /** In PostgreSQL's text form of a time. */
  startedAt: string;
}

/**
 * The runs over all contacts, newest first, without those that a newer run went further than. There
 * are hardly ever two, and a contact's time is that of the first run that reached it. Looking into
 * `verification_runs` for each of millions of contacts would take longer than writing them.
 */
export async function selectWholeRuns(tx: TenantTx, workspaceId: number): Promise<WholeRun[]> {
  const { rows } = await sql<WholeRun>`
    select through_id as "throughId", started_at::text as "startedAt" from (
      select through_id, started_at, id,
             max(through_id) over (order by started_at desc, id desc rows between unbounded preceding and 1 preceding) as further
      from verification_runs where workspace_id = ${workspaceId} and whole and finished_at is not null
    ) each_one
    where further is null or through_id > further
    order by started_at desc, id desc`.execute(tx);
  return rows;
}

/**
 * When a verdict was last found to be true: by a check of this contact, or by a run over all
 * contacts.
 */
function verifiedAt(runs: readonly WholeRun[]): Fragment {
  if (runs.length === 0) return sql`verified.checked_at`;
  const newest = runs.map(
    ({ throughId, startedAt }) =>
      sql`when verified.contact_id <= ${throughId} then ${startedAt}::timestamptz`,
  );
  return sql`greatest(verified.checked_at, case ${sql.join(newest, sql` `)} end)`;
}

/** The columns in their order. All but the suggestion are the product's own words. */
export function verdictColumns(runs: readonly WholeRun[]): ExportColumn[] {
  const own = (header: string, value: Fragment): ExportColumn => ({
    header,
    value,
    isWritten: false,
    ifTaken: `verification_${header}`,
  });
  return [
    own('verdict', sql`profile.verdict`),
    { ...own('reasons', sql`array_to_string(profile.reasons, ' ')`), json: sql`profile.reasons` },
    {
      header: 'suggestion',
      value: sql`(suggested.to_local || '@' || suggested.to_domain)`,
      isWritten: true,
      ifTaken: 'verification_suggestion',
    },
    own('risk', sql`profile.risk`),
    own('uk', sql`profile.uk`),
    own('kind', sql`profile.kind`),
    own('verified', isoTime(verifiedAt(runs))),
  ];
}
