import { csvLine } from '#features/csv/rules.ts';
import type { Database } from '#platform/server/database.ts';
import { formatDay } from '#platform/shared/words.ts';
import { findCorrected, findSamples, selectPresent } from './record-queries.ts';

/** What a receipt says besides the rows that were left out: which of them were corrected since. */
export async function correctedLines(
  { db }: { db: Database },
  workspaceId: number,
  importId: number,
): Promise<string> {
  const { samples, present } = await db.asTenant(workspaceId, async (tx) => ({
    samples: await findSamples(tx, workspaceId, importId),
    present: await selectPresent(tx, workspaceId, await findCorrected(tx, workspaceId, importId)),
  }));
  return samples
    .flatMap(({ line, text, corrected }) => {
      if (!corrected) return [];
      const { email, contactId, by, at } = corrected;
      const since = present.has(contactId) ? '' : ', removed since';
      const what = `Imported as ${email} by ${by} on ${formatDay(at.slice(0, 10))}${since}`;
      return [csvLine([String(line), 'corrected', what, text])];
    })
    .join('');
}
