import { sql } from 'kysely';
import type { SystemDb } from '#platform/server/database.ts';
import type { ImportRow } from './record-queries.ts';

type Status = ImportRow['status'];

export interface OverseenImportRow {
  workspaceId: number;
  id: number;
  fileName: string;
  fileSize: number;
  status: Status;
  rows: number | null;
  phase: string | null;
  /** How much of the whole is done, from 0 to 1. */
  share: number | null;
  error: string | null;
  startedBy: string | null;
  attempts: number;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

/** One page of the imports of all workspaces in these states, newest first. */
export async function selectImportsEverywhere(
  db: SystemDb,
  statuses: readonly Status[],
  page: { skip: number; take: number },
): Promise<OverseenImportRow[]> {
  const { rows } = await sql<OverseenImportRow>`
    select workspace_id as "workspaceId", id, file_name as "fileName", file_size as "fileSize", status, rows, phase, share,
           error, started_by as "startedBy", attempts, created_at as "createdAt", started_at as "startedAt",
           finished_at as "finishedAt"
    from imports_everywhere(${[...statuses]}::text[], ${page.skip}::bigint, ${page.take}::bigint)`.execute(
    db,
  );
  return rows;
}

/** The number of imports in each state, over all workspaces. States without any are left out. */
export async function countImportsEverywhere(db: SystemDb): Promise<{ status: Status; imports: number }[]> {
  const { rows } = await sql<{ status: Status; imports: number }>`
    select status, imports from import_counts_everywhere()`.execute(db);
  return rows;
}
