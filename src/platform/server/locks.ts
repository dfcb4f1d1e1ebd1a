import { type RawBuilder, sql } from 'kysely';
import { AppError } from '#platform/shared/errors.ts';
import { sqlState, type TenantTx } from './transaction.ts';

/**
 * The locks that transactions take besides those on rows: PostgreSQL advisory locks, each with a
 * name, a number and a rank. A feature declares its own in its `server/locks.ts`.
 * `test/checks/locks.test.ts` checks that no two share a number or a rank.
 *
 * A transaction takes its locks in the order of their ranks, so that no two wait for each other in
 * a circle. Taking one out of order fails in tests. Nobody waits for ever: a connection has its
 * `lock_timeout`, a transaction may have a shorter one (`waitAtMost`), and a caller that waited in
 * vain learns what it waited for.
 */
export interface Lock {
  readonly name: string;
  /** First half of the advisory lock's key. The second half is the workspace, or another id. */
  readonly number: number;
  readonly rank: number;
  /**
   * What the holder is doing, shown to callers that waited in vain: 'Contacts are being removed'.
   */
  readonly meanwhile: string;
  /**
   * How long its holder waits for each lock and row of somebody else, in milliseconds, where many
   * others wait for the holder meanwhile. A transaction of `asTenant` that waited in vain lets the
   * lock go and begins again.
   */
  readonly patienceMs?: number;
}

export const declareLock = (lock: Lock): Lock => Object.freeze(lock);

/** Shared locks wait only for an exclusive one, not for each other. */
export type LockMode = 'shared' | 'exclusive';

/** Somebody else holds what the transaction needs. A later retry may work. */
export class LockBusy extends AppError {
  /** The caller has set a limit to the waiting (`waitAtMost`), and it is over. */
  readonly isOver: boolean;

  constructor(message: string, cause: unknown, { isOver = true }: { isOver?: boolean } = {}) {
    super('conflict', message, { cause, retryAfter: 1 });
    this.isOver = isOver;
  }
}

/**
 * What we know about a transaction's locks. A transaction that nobody watches may take them in any
 * order.
 */
interface Taken {
  readonly held: Lock[];
  readonly onMisuse: (error: Error) => void;
  /** When the transaction has waited long enough, on the clock of `performance`. */
  until?: number | undefined;
  /** The patience of the most impatient lock that it holds. */
  patienceMs?: number;
}

const taken = new WeakMap<object, Taken>();

/** The connection of a handle whose transactions are begun on the connection itself. */
const connections = new WeakMap<object, object>();

/**
 * From now on, the transaction must take its locks in the order of their ranks. `tx` is a
 * transaction, or a connection on which one has just begun.
 */
export function watchLocks(tx: object, onMisuse: (error: Error) => void): void {
  taken.set(tx, { held: [], onMisuse });
}

/** All handles on a connection share what is known about the locks of its transaction. */
export function shareLocks(handle: object, connection: object): void {
  connections.set(handle, connection);
}

/**
 * Takes a lock until the transaction ends. One round trip when it is free, and one more when its
 * holder must be patient.
 * @throws LockBusy when somebody else held it for too long.
 */
export async function takeLock(
  tx: TenantTx,
  lock: Lock,
  key: number,
  mode: LockMode = 'exclusive',
): Promise<void> {
  noteOrder(tx, lock);
  const { rows } = await sql<{ isTaken: boolean; holder: string | null }>`
    with attempt as materialized (select ${call('pg_try_advisory_xact_lock', lock, key, mode)} as taken)
    select taken as "isTaken", case when not taken then (${holderOf(lock, key)}) end as holder from attempt`.execute(
    tx,
  );
  if (!rows[0]?.isTaken) {
    try {
      await limitToRest(tx);
      await sql`select ${call('pg_advisory_xact_lock', lock, key, mode)}`.execute(tx);
      await limitToRest(tx);
    } catch (error) {
      if (!isBusy(error)) throw error;
      const message = `${whatGoesOn(lock, rows[0]?.holder)} just now. Try again in a moment.`;
      throw new LockBusy(message, error, { isOver: stateOf(tx).until !== undefined });
    }
  }
  await bePatient(tx, lock);
}

/** From now on, the transaction waits no longer for anything than the lock it holds allows. */
async function bePatient(tx: TenantTx, { patienceMs }: Lock): Promise<void> {
  const state = stateOf(tx);
  if (patienceMs === undefined || (state.patienceMs ?? Number.POSITIVE_INFINITY) <= patienceMs) return;
  state.patienceMs = patienceMs;
  await limitToRest(tx);
}

/** Whether the transaction failed because others wait for a lock that it holds. */
export function hasYielded(tx: object, error: unknown): boolean {
  const { patienceMs } = stateOf(tx);
  return patienceMs !== undefined && (isBusy(error) || (error instanceof LockBusy && !error.isOver));
}

/** Takes a lock until the transaction ends, unless somebody else holds it. */
export async function tryLock(tx: TenantTx, lock: Lock, key: number): Promise<boolean> {
  noteOrder(tx, lock);
  const { rows } = await sql<{ taken: boolean }>`
    select ${call('pg_try_advisory_xact_lock', lock, key, 'exclusive')} as taken`.execute(tx);
  return rows[0]?.taken ?? false;
}

/** The SQL that takes a lock, for a caller with its own connection and its own `lock_timeout`. */
export const lockStatement = (lock: Lock, key: number, mode: LockMode = 'exclusive'): string =>
  `select ${callText('pg_advisory_xact_lock', lock, key, mode)}`;

/** The SQL that takes a lock for as long as the connection lives. Returns `taken`. */
export const trySessionLockStatement = (lock: Lock, key: number): string =>
  `select ${callText('pg_try_advisory_lock', lock, key, 'exclusive')} as taken`;

/**
 * The SQL that limits each wait for a lock until the transaction ends, for a caller with its own
 * connection. A wait that is longer fails with an error that `isBusy` knows.
 */
export const limitWaitStatement = (milliseconds: number): string =>
  `set local lock_timeout = ${Math.max(1, Math.round(milliseconds))}`;

/**
 * Runs `work`, which may wait at most `milliseconds` for locks that others hold. All waits for
 * declared locks share this limit. `message` is for a wait for a row. Afterwards the transaction
 * has its earlier limit again.
 */
export async function waitAtMost<T>(
  tx: TenantTx,
  milliseconds: number,
  message: string,
  work: () => Promise<T>,
): Promise<T> {
  const state = stateOf(tx);
  const before = state.until;
  state.until = Math.min(before ?? Number.POSITIVE_INFINITY, performance.now() + milliseconds);
  try {
    await limitToRest(tx);
    const result = await work();
    state.until = before;
    await limitToRest(tx);
    return result;
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new LockBusy(message, error);
  } finally {
    state.until = before;
  }
}

/** The database's error after waiting too long for a lock (lock_not_available). */
export const isBusy = (error: unknown): boolean => sqlState(error) === '55P03';

function stateOf(tx: object): Taken {
  const owner = connections.get(tx) ?? tx;
  const state = taken.get(owner) ?? { held: [], onMisuse: () => undefined };
  taken.set(owner, state);
  return state;
}

/**
 * Limits the following statements to what is left of the transaction's waiting time, and each of
 * their waits to its patience.
 */
async function limitToRest(tx: TenantTx): Promise<void> {
  const { until = Number.POSITIVE_INFINITY, patienceMs = Number.POSITIVE_INFINITY } = stateOf(tx);
  const rest = Math.min(patienceMs, Math.max(1, Math.round(until - performance.now())));
  await sql`set local lock_timeout = ${Number.isFinite(rest) ? sql.lit(rest) : sql`default`}`.execute(tx);
}

function noteOrder(tx: object, lock: Lock): void {
  const { held, onMisuse } = stateOf(tx);
  if (held.includes(lock)) return;
  const later = held.find(({ rank }) => rank >= lock.rank);
  if (later) {
    onMisuse(
      new Error(
        `The lock "${lock.name}" (rank ${lock.rank}) was taken after "${later.name}" (rank ${later.rank}): ` +
          'two transactions that take them in different orders wait for each other.',
      ),
    );
  }
  held.push(lock);
}

const call = (name: string, lock: Lock, key: number, mode: LockMode): RawBuilder<unknown> =>
  sql.raw(callText(name, lock, key, mode));

function callText(name: string, { number }: Lock, key: number, mode: LockMode): string {
  if (!Number.isSafeInteger(key) || key <= 0) throw new RangeError(`no key of a lock: ${key}`);
  return `${name}${mode === 'shared' ? '_shared' : ''}(${number}, ${half(key)})`;
}

/** The second half of the key is an int4. */
const half = (key: number): number => key % 2147483647;

/** The name of a connection that holds the lock. */
const holderOf = ({ number }: Lock, key: number): RawBuilder<unknown> =>
  sql`select a.application_name from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and l.classid = ${number}::oid and l.objid = ${half(key)}::oid
        and l.objsubid = 2 and l.database = (select oid from pg_database where datname = current_database())
      order by a.xact_start limit 1`;

/** An import's engine identifies itself in its connection's name. */
const whatGoesOn = ({ meanwhile }: Lock, holder: string | null | undefined): string =>
  /^email-manager import\b/.test(holder ?? '') ? 'An import is changing the database' : meanwhile;
