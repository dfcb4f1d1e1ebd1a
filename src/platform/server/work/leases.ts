import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '../database.ts';

/** Seconds for which a run holds its work before others may treat the process as dead. */
export const leaseSeconds = 12;

export interface WorkKey {
  workspaceId: number;
  id: number;
}

/**
 * One run of a piece of work. `lease` names the run, not the process. A process that seemed dead
 * and comes back finds another name in the record and can write nothing more.
 */
export interface WorkRun extends WorkKey {
  lease: string;
}

/**
 * A table of long work, one row each. It has the columns `workspace_id`, `id`, `status`, `lease
 * uuid`, `lease_until timestamptz` and `attempts integer`. A row with a lease is held until
 * `lease_until`. A row without one waits, at least until `lease_until`. The table has its own
 * function for claiming a row across workspaces.
 */
export interface LeasedTable {
  name: string;
  /** The states in which a run can hold the row. */
  underWay: readonly string[];
  /** The state of a row that was given back. Null: it keeps its state. */
  givenBackAs: string | null;
  /** Whether the table has a column `cancel_requested`. */
  canBeCancelled: boolean;
}

/**
 * The state of a run: it may go on, or somebody wants the work cancelled, or the work has ended, or
 * another run has it. A run that has written its own end finds `ended` too.
 */
export type Standing = 'held' | 'cancelled' | 'ended' | 'lost';

/** When a lease that is taken or renewed now expires. */
export const leaseFromNow = sql`clock_timestamp() + make_interval(secs => ${sql.lit(leaseSeconds)})`;

/** The leases on the rows of one table. */
export class Leases {
  readonly #table: LeasedTable;
  readonly #name: RawBuilder<unknown>;

  constructor(table: LeasedTable) {
    this.#table = table;
    this.#name = sql.table(table.name);
  }

  /**
   * The condition that this run holds the row. Every statement that a run uses to write its record
   * includes it.
   */
  heldBy({ workspaceId, id, lease }: WorkRun): RawBuilder<boolean> {
    return sql<boolean>`workspace_id = ${workspaceId} and id = ${id} and lease = ${lease}::uuid and status in (${this.#underWay()})`;
  }

  #underWay(): RawBuilder<unknown> {
    return sql.join(this.#table.underWay.map((status) => sql.lit(status)));
  }

  /** The state of the run. Does not wait for locks. */
  async standing(tx: TenantTx, run: WorkRun): Promise<Standing> {
    const { rows } = await sql<{ held: boolean; ended: boolean; cancelled: boolean }>`
      select coalesce(${this.heldBy(run)}, false) as held,
        lease is null and status not in (${this.#underWay()}) as ended,
        ${this.#table.canBeCancelled ? sql`cancel_requested` : sql`false`} as cancelled
      from ${this.#name} where workspace_id = ${run.workspaceId} and id = ${run.id}`.execute(tx);
    const [row] = rows;
    if (row?.held) return row.cancelled ? 'cancelled' : 'held';
    return row?.ended ? 'ended' : 'lost';
  }

  /**
   * Answers whether the run holds its record, and keeps it so until the transaction ends. Waits for
   * a transaction that is about to write the run's end.
   */
  async hold(tx: TenantTx, run: WorkRun): Promise<boolean> {
    const { rows } = await sql`
      select 1 from ${this.#name} where ${this.heldBy(run)} for update`.execute(tx);
    return rows.length > 0;
  }

  /**
   * Extends the lease and sets the columns that show how far the work is. Does nothing while a
   * transaction of the same run locks the record: the next heartbeat comes in time.
   */
  async renew(tx: TenantTx, run: WorkRun, told: RawBuilder<unknown>): Promise<void> {
    await sql`
      update ${this.#name} set lease_until = ${leaseFromNow}, ${told}
      where (workspace_id, id) in (
        select workspace_id, id from ${this.#name} where ${this.heldBy(run)} for update skip locked
      )`.execute(tx);
  }

  /**
   * Gives the work back. Any run may take it once `seconds` have passed. With `isUncounted`, this
   * run is none of its attempts.
   */
  async release(tx: TenantTx, run: WorkRun, seconds: number, isUncounted = false): Promise<void> {
    const { givenBackAs } = this.#table;
    const uncounted = isUncounted ? sql`, attempts = greatest(attempts - 1, 0)` : sql``;
    const until = seconds === 0 ? sql`null` : sql`clock_timestamp() + make_interval(secs => ${seconds}::int)`;
    await sql`
      update ${this.#name}
      set lease = null, lease_until = ${until} ${uncounted}
        ${givenBackAs === null ? sql`` : sql`, status = ${givenBackAs}`}
      where ${this.heldBy(run)}`.execute(tx);
  }
}
