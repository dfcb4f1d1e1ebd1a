import type { SystemDb } from '#platform/server/database.ts';
import { selectImportFigures } from './figure-queries.ts';

export interface ImportFigures {
  /** Rows of completed imports of all workspaces. */
  rowsEver: number;
  rowsThisMonth: number;
  /**
   * Imports completed since `recentStart`: how many, their rows, and the seconds from start to end.
   */
  recent: { imports: number; rows: number; seconds: number };
}

/** What all workspaces together have imported. */
export async function importFigures(
  db: SystemDb,
  { monthStart, recentStart }: { monthStart: Date; recentStart: Date },
): Promise<ImportFigures> {
  const row = await selectImportFigures(db, monthStart, recentStart);
  const { rowsEver, rowsThisMonth, imports, rows, seconds } = row;
  return { rowsEver, rowsThisMonth, recent: { imports, rows, seconds } };
}
