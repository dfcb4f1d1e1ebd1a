import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Allowance } from '../rules.ts';
import { takeUse } from './allowance-queries.ts';

export interface Uses {
  /** Throws `rate_limited` for anyone known to have to wait. Needs no query. */
  refuseEarly(workspaceId: number, userId: string): void;
  /**
   * Takes one, or throws `rate_limited`. The person's other calls wait until the transaction ends,
   * so keep it short.
   */
  take(tx: TenantTx, workspaceId: number, userId: string): Promise<void>;
}

/** At most this many waiting people are remembered. For others the database is asked instead. */
const mostRemembered = 10_000;

/**
 * Counts in the database, for all processes together. Whoever was told to wait is remembered here
 * until then, so a flood of calls costs only one query per call that may be repeated.
 */
export function createUses(allowance: Allowance): Uses {
  const waiting = new Map<string, number>();
  return {
    refuseEarly(workspaceId, userId) {
      const until = waiting.get(`${workspaceId} ${userId}`) ?? 0;
      const milliseconds = until - Date.now();
      if (milliseconds > 0) throw tooMany(milliseconds / 1000);
    },
    async take(tx, workspaceId, userId) {
      const seconds = await takeUse(tx, workspaceId, Number(userId), allowance);
      if (seconds === 0) return;
      const now = Date.now();
      if (waiting.size >= mostRemembered) forgetPast(waiting, now);
      if (waiting.size < mostRemembered) waiting.set(`${workspaceId} ${userId}`, now + seconds * 1000);
      throw tooMany(seconds);
    },
  };
}

function forgetPast(waiting: Map<string, number>, now: number): void {
  for (const [key, until] of waiting) if (until <= now) waiting.delete(key);
}

function tooMany(given: number): AppError {
  const seconds = Math.max(1, Math.ceil(given));
  return new AppError(
    'rate_limited',
    `Too many addresses in a short time. Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}, or import the list and verify it as contacts.`,
    { retryAfter: seconds },
  );
}
