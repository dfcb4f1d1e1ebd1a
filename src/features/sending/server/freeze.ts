import { sql } from 'kysely';
import { everybody } from '#features/audience/rules/tree.ts';
import type { Audience } from '#features/audience/server/index.ts';
import { readMailable } from '#features/basis/server/index.ts';
import { pausesIn } from '#features/tracking/server/index.ts';
import type { Database, TenantTx } from '#platform/server/database.ts';
import { asAppError } from '#platform/server/error-map.ts';
import type { Log } from '#platform/server/logging.ts';
import { renewStatistics } from '#platform/server/statistics.ts';
import type { WorkRun } from '#platform/server/work/leases.ts';
import { type HeldWork, NotForThisProcess, type WorkQueue } from '#platform/server/work/runner.ts';
import { WorkStopped } from '#platform/server/work/stopped.ts';
import { beginTest } from './ab-test/test-queries.ts';
import {
  beginFreeze,
  claimFreeze,
  endFreeze,
  type FreezeRow,
  freezeLeases,
  insertParts,
  insertPeople,
} from './freeze-queries.ts';
import { endIfDone, moveMailing } from './mailing-queries.ts';
import { readRest } from './rest.ts';

interface FreezeParts {
  db: Database;
  log: Log;
  audience: Audience;
  /** Messages may leave now. */
  onDone(): void;
}

/**
 * Writes down whom a mailing goes to. One transaction, so that a process which dies leaves nothing
 * half written, and everybody is seen as they were at one moment.
 */
export class FreezeQueue implements WorkQueue<FreezeRow> {
  readonly name = 'mailing';
  readonly leases = freezeLeases;
  readonly atOnce = 2;
  readonly whenFull = 'wait';
  readonly givenUp = 'Its recipients could not be written down, again and again.';
  readonly #parts: FreezeParts;

  constructor(parts: FreezeParts) {
    this.#parts = parts;
  }

  claim(lease: string, _held: readonly HeldWork<FreezeRow>[], leaveOut: readonly number[]) {
    return claimFreeze(this.#parts.db.system, lease, leaveOut);
  }

  async begin(tx: TenantTx, run: WorkRun): Promise<FreezeRow | null> {
    const row = await beginFreeze(tx, run);
    if (row && !this.#parts.audience.stored.safeParse(row.audience).success)
      throw new NotForThisProcess('its audience is of a newer version');
    return row;
  }

  async leave(): Promise<void> {}

  told() {
    return sql`attempts = attempts`;
  }

  async work({ run, row, stopper }: HeldWork<FreezeRow>): Promise<void> {
    const { db, audience, onDone } = this.#parts;
    const { workspaceId, id } = row;
    const tree = audience.stored.parse(row.audience);
    const isEverybody = JSON.stringify(tree) === JSON.stringify(everybody);
    await db.asTenant(
      workspaceId,
      async (tx) => {
        const matching = await audience.conditionForCopy(tx, workspaceId, tree);
        const mailable = await readMailable(tx, workspaceId);
        const rest = await readRest(tx, workspaceId, row.restDays);
        const pauses = await pausesIn(tx, workspaceId);
        await insertPeople(tx, workspaceId, id, {
          matching,
          mailable,
          rest,
          pauses,
          keepsLeftOut: !isEverybody,
          localTime: row.localTime,
          test: row.test,
        });
        await insertParts(tx, workspaceId, id, row.spreadHours);
        if (row.test) await beginTest(tx, workspaceId, id);
        if (!(await endFreeze(tx, run))) throw new WorkStopped('lost');
      },
      { signal: stopper.signal },
    );
    onDone();
    await renewStatistics(this.#parts);
  }

  async breakOff(
    { run }: HeldWork<FreezeRow>,
    end: { cancelled: true } | { cancelled: false; error: unknown },
  ): Promise<void> {
    const notice = end.cancelled ? null : asAppError(end.error).message;
    const { workspaceId, id } = run;
    await this.#parts.db.asTenant(workspaceId, async (tx) => {
      const from = ['freezing'] as const;
      // It has no messages, so nothing is still to be written down as skipped.
      if (await moveMailing(tx, workspaceId, id, { from, to: 'cancelled', notice }))
        await endIfDone(tx, workspaceId, id);
    });
  }
}
