import { sql } from 'kysely';
import { inBackground } from '#platform/server/call-context.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import type { Log } from '#platform/server/logging.ts';
import { countActs, type VariantActs } from './test-queries.ts';

/** A test with no more people is counted while the caller waits. */
const countedAtOnce = 20_000;
/** Seconds for which a count is good. One that took long is good for twenty times as long. */
const goodSeconds = 15;

interface Parts {
  db: Database;
  log: Log;
}

/**
 * What people did by variant, for whoever looks at a test. That of a large one is counted in the
 * background: its last count is returned at once, and made anew when it is old.
 */
export async function keptActs(
  { db, log }: Parts,
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  { people, few = countedAtOnce }: { people: number; few?: number },
): Promise<VariantActs[]> {
  if (people <= few) return countActs(tx, workspaceId, mailingId);
  const { figures, isDue } = await selectKept(tx, workspaceId, mailingId);
  if (isDue)
    inBackground(() => countAnew(db, workspaceId, mailingId)).catch((error: unknown) =>
      log.error({ err: error, workspaceId, mailingId }, 'an A/B test could not be counted'),
    );
  return figures ?? [];
}

async function countAnew(db: Database, workspaceId: number, mailingId: number): Promise<void> {
  if (!(await db.asTenant(workspaceId, (tx) => claimCount(tx, workspaceId, mailingId)))) return;
  const began = performance.now();
  await db.asTenant(workspaceId, async (tx) => {
    const figures = await countActs(tx, workspaceId, mailingId);
    await keepCount(tx, workspaceId, mailingId, { figures, tookMs: performance.now() - began });
  });
}

/** Nobody is counting, and the last count is too old. */
const isCountDue = sql`coalesce(claimed_until, '-infinity') < clock_timestamp()
  and coalesce(counted_at, '-infinity') < clock_timestamp()
    - greatest(make_interval(secs => ${goodSeconds}), make_interval(secs => took_ms * 20 / 1000.0))`;

async function selectKept(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
): Promise<{ figures: VariantActs[] | null; isDue: boolean }> {
  const { rows } = await sql<{ figures: VariantActs[] | null; isDue: boolean }>`
    select figures, ${isCountDue} as "isDue"
    from mailing_tests where workspace_id = ${workspaceId} and mailing_id = ${mailingId}`.execute(tx);
  return rows[0] ?? { figures: null, isDue: false };
}

/**
 * Takes a count over for some minutes. Returns false when another process is at it, or has counted
 * since.
 */
async function claimCount(tx: TenantTx, workspaceId: number, mailingId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update mailing_tests set claimed_until = clock_timestamp() + interval '5 minutes'
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId} and ${isCountDue}`.execute(tx);
  return Number(numAffectedRows ?? 0) > 0;
}

async function keepCount(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  { figures, tookMs }: { figures: VariantActs[]; tookMs: number },
): Promise<void> {
  await sql`
    update mailing_tests set counted_at = clock_timestamp(), took_ms = ${Math.round(tookMs)}, claimed_until = null,
      figures = ${JSON.stringify(figures)}::jsonb
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId}`.execute(tx);
}
