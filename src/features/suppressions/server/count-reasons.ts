import type { Tree } from '#features/audience/rules/tree.ts';
import type { Audience } from '#features/audience/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { SuppressionReason } from '../contract.ts';
import { estimatedBy, exactBy, type SuppressedBy } from '../rules/suppressed-by.ts';
import { selectCounts } from './queries.ts';
import { countByContacts, countByEntries, sampleReason } from './reason-queries.ts';

/** As many entries, or contacts of an audience, are read one by one. */
const mostRead = 10_000;
/** Entries of each reason that a sample looks at. */
const mostLooks = 500;

/**
 * Why the suppressed contacts of an audience are suppressed, `suppressed` being their number. Where
 * both the list and the audience are long it is an estimate. Null where a sample finds too few.
 */
export async function countReasons(
  audience: Audience,
  tx: TenantTx,
  workspaceId: number,
  { tree, suppressed }: { tree: Tree; suppressed: number },
  limits = { read: mostRead, looks: mostLooks },
): Promise<SuppressedBy | null> {
  const counts = await selectCounts(tx, workspaceId);
  const entries = counts.filter(({ list }) => list === 'email');
  const matching = () => audience.conditionForCopy(tx, workspaceId, tree);
  if (entries.reduce((sum, one) => sum + one.entries, 0) <= limits.read)
    return exactBy(await countByEntries(tx, workspaceId, await matching()), suppressed);
  const meant = await audience.countWithin(tx, workspaceId, tree, limits.read);
  if (meant !== null && meant <= limits.read) {
    const contacts = await audience.ids(tx, workspaceId, tree);
    return exactBy(await countByContacts(tx, workspaceId, contacts), suppressed);
  }
  const condition = await matching();
  const samples = [];
  for (const { part, entries: all } of entries) {
    const reason = part as SuppressionReason;
    const sample = { reason, looks: limits.looks, matching: condition };
    samples.push({ reason, entries: all, ...(await sampleReason(tx, workspaceId, sample)) });
  }
  return estimatedBy(
    samples,
    suppressed,
    counts.some(({ list }) => list === 'domain'),
  );
}
