import type pg from 'pg';
import { Pool } from 'pg';
import { currentContext, type Purpose, purposes } from './call-context.ts';
import { refuseDownload } from './download-limits.ts';
import { FairQueue } from './fair-queue.ts';
import { keepPlans } from './prepared.ts';

/** The most connections for each purpose, in one process. They open on demand. */
export type PoolSizes = Record<Purpose, number>;

export const usualSizes: PoolSizes = { interactive: 8, background: 6, streams: 4, public: 6 };

interface Timeouts {
  /** Statements that take longer are cancelled. Null means no limit. */
  statementMs: number | null;
  /** Longest wait for a lock that somebody else holds. */
  lockMs: number;
  /** A transaction that runs no statement for this long counts as abandoned. */
  idleMs: number;
  /** Longest wait for a connection. */
  waitMs: number;
}

const second = 1000;
const minute = 60 * second;

const timeouts: Record<Purpose, Timeouts> = {
  interactive: { statementMs: 2 * minute, lockMs: 10 * second, idleMs: minute, waitMs: 10 * second },
  // A piece of a task may wait until an import has written its contacts.
  background: { statementMs: 30 * minute, lockMs: 10 * minute, idleMs: 10 * minute, waitMs: minute },
  // A COPY lasts as long as its reader takes. Most proxies wait a minute for the answer to begin.
  streams: { statementMs: null, lockMs: 10 * second, idleMs: 10 * minute, waitMs: 50 * second },
  public: { statementMs: 5 * second, lockMs: second, idleMs: 10 * second, waitMs: second },
};

/**
 * A workspace may use at most three quarters of the connections for calls, for streams and for the
 * public. The rest is for the others. Background work takes its turns elsewhere.
 */
const mostOfOne = (size: number) => Math.max(1, Math.floor(size * 0.75));
const capped = new Set<Purpose>(['interactive', 'streams', 'public']);

/** Downloads that one person may have waiting. More would hardly get their turn in time. */
const longestLine = 50;

/** The longest wait for a download's turn, if not configured. */
export const usualStreamWaitMs = timeouts.streams.waitMs;

export interface PoolFigures {
  /** One of the purposes of calls and work, or `jobs`: the job queue has connections of its own. */
  purpose: Purpose | 'jobs';
  /** The most that may be open. */
  most: number;
  open: number;
  idle: number;
  /** Calls that wait for a connection. */
  waiting: number;
}

export interface Pools {
  /**
   * Lends a connection for the context's purpose, or for the one named. `release` gives it back.
   */
  lend(purpose?: Purpose, workspaceId?: number): Promise<pg.PoolClient>;
  /** Longest wait for a lock in the context's purpose. */
  longestLockMs(): number;
  figures(): PoolFigures[];
  /** One pool, bypassing the queue. For readiness and tests. */
  readonly background: pg.Pool;
  end(): Promise<void>;
}

export interface PoolsOptions {
  sizes: PoolSizes;
  /** The longest wait for a connection for a stream. Absent: the usual one. */
  streamWaitMs?: number | undefined;
  /** Connection settings that all pools share. */
  config: pg.PoolConfig;
  onIdleError: (error: Error) => void;
  /** Called when a call waits for a connection while it already holds one. */
  onMisuse: (error: Error) => void;
}

export function createPools(options: PoolsOptions): Pools {
  const { sizes, config, onIdleError, onMisuse } = options;
  const waitMs = (purpose: Purpose) =>
    (purpose === 'streams' ? options.streamWaitMs : undefined) ?? timeouts[purpose].waitMs;
  const lenders = new Map(purposes.map((purpose) => [purpose, lenderOf(purpose, sizes[purpose], config)]));
  const of = (purpose: Purpose) => lenders.get(purpose) as Lender;
  for (const { pool } of lenders.values()) {
    pool.on('error', onIdleError);
    // The pool hears only idle connections. One that breaks between two statements of whoever has
    // it would end the process. Its next statement reports it.
    pool.on('connect', (client) => client.on('error', () => undefined));
  }
  return {
    async lend(named, workspaceId) {
      const context = currentContext();
      if (context.holdsConnection) onMisuse(secondConnection());
      const purpose = named ?? context.purpose;
      const { pool, queue } = of(purpose);
      const guest = {
        workspaceId: workspaceId ?? context.workspaceId ?? null,
        person: context.person ?? null,
      };
      // Only a download waits long enough for its caller to lose patience.
      const gone = purpose === 'streams' ? context.gone?.() : undefined;
      return handOut(pool, await queue.enter(guest, { waitMs: waitMs(purpose), gone }));
    },
    longestLockMs: () => timeouts[currentContext().purpose].lockMs,
    figures: () =>
      [...lenders].map(([purpose, { pool, queue }]) => ({
        purpose,
        most: sizes[purpose],
        open: pool.totalCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount + queue.waiting,
      })),
    background: of('background').pool,
    end: async () => void (await Promise.all([...lenders.values()].map(({ pool }) => pool.end()))),
  };
}

interface Lender {
  pool: pg.Pool;
  queue: FairQueue;
}

function lenderOf(purpose: Purpose, size: number, config: pg.PoolConfig): Lender {
  const { statementMs, lockMs, idleMs } = timeouts[purpose];
  const pool = new Pool({
    ...config,
    application_name: `${config.application_name ?? 'email-manager'} ${purpose}`,
    max: size,
    connectionTimeoutMillis: 10_000,
    ...(statementMs === null ? {} : { statement_timeout: statementMs }),
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
  });
  pool.on('connect', keepPlans);
  return { pool, queue: queueOf(purpose, size) };
}

function queueOf(purpose: Purpose, size: number): FairQueue {
  const each = capped.has(purpose) ? mostOfOne(size) : size;
  if (purpose !== 'streams') return new FairQueue({ size, each });
  const eachPerson = Math.max(1, Math.floor(size / 2));
  const limits = { each, eachPerson, line: longestLine };
  return new FairQueue({ size, ...limits, refusal: (fullness) => refuseDownload(fullness, limits) });
}

/** A connection whose release also gives back its turn. */
async function handOut(pool: pg.Pool, leave: () => void): Promise<pg.PoolClient> {
  try {
    const client = await pool.connect();
    // The pool sets a new `release` each time it lends the client.
    const release = client.release.bind(client);
    client.release = (destroy) => {
      leave();
      release(destroy);
    };
    return client;
  } catch (error) {
    leave();
    throw error;
  }
}

/** If every connection is held by a call that waits for another one, none ever becomes free. */
const secondConnection = () =>
  new Error(
    'A database connection was asked for inside a transaction: a call holds one connection at most. ' +
      'Use the transaction, or do the work after it, or inBackground.',
  );
