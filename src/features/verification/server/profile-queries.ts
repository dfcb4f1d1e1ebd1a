import { sql } from 'kysely';
import type { Judgement } from '#features/addresses/rules/verdict.ts';
import type { TenantTx } from '#platform/server/database.ts';
/** A combination of verdict, reasons, risk, kind and UK class, and how many contacts have it. */
export interface CountedProfile extends Pick<Judgement, 'verdict' | 'risk' | 'kind' | 'uk'> {
  /** Codes, in alphabetical order. */
  reasons: string[];
  id: number;
  contacts: number;
}

/**
 * Every profile that the workspace's contacts have or had, so that a place among them stays one.
 */
export async function selectProfiles(tx: TenantTx, workspaceId: number): Promise<CountedProfile[]> {
  const { rows } = await sql<CountedProfile>`
    select id, verdict, reasons, risk, kind, uk, contacts from verdict_profiles
    where workspace_id = ${workspaceId}`.execute(tx);
  return rows;
}
