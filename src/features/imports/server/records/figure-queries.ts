import { sql } from 'kysely';
import type { SystemDb } from '#platform/server/database.ts';

interface FigureRow {
  rowsEver: number;
  rowsThisMonth: number;
  imports: number;
  rows: number;
  seconds: number;
}

/** Sums over the completed imports of all workspaces. */
export async function selectImportFigures(
  db: SystemDb,
  monthStart: Date,
  recentStart: Date,
): Promise<FigureRow> {
  const { rows } = await sql<FigureRow>`
    select rows_ever as "rowsEver", rows_this_month as "rowsThisMonth", recent_imports as imports,
           recent_rows as rows, recent_seconds as seconds
    from import_figures(${monthStart}, ${recentStart})`.execute(db);
  return rows[0] as FigureRow;
}
