import { csvLine } from '#features/csv/rules.ts';
import type { Database } from '#platform/server/database.ts';
import { formatDay } from '#platform/shared/words.ts';
import { findSamples } from './record-queries.ts';

/** What a receipt says besides the rows that were left out: which of them were corrected since. */
export async function correctedLines(
  { db }: { db: Database },
  workspaceId: number,
  importId: number,
): Promise<string> {
  const samples = await db.asTenant(workspaceId, (tx) => findSamples(tx, workspaceId, importId));
  return samples
    .flatMap(({ line, text, corrected }) => {
      if (!corrected) return [];
      const { email, by, at } = corrected;
      const what = `Imported as ${email} by ${by} on ${formatDay(at.slice(0, 10))}`;
      return [csvLine([String(line), 'corrected', what, text])];
    })
    .join('');
}
