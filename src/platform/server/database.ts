import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { beginAgain, Yielded } from './begin-again.ts';
import { type CallAnswer, currentContext, withContext } from './call-context.ts';
import { hasYielded, shareLocks, watchLocks } from './locks.ts';
import { createPools, type PoolFigures, type PoolSizes, type Pools, usualSizes } from './pools.ts';
import { type SystemDb, sqlState, type Tables, type TenantTx } from './transaction.ts';

// bigint ids and counts stay far below 2^53, and JSON has no wider number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export {
  averageWorkspace,
  type Fragment,
  type SystemDb,
  sqlState,
  type Tables,
  type TenantTx,
} from './transaction.ts';

export interface TenantOptions<T> {
  /**
   * Aborting it cancels the running statement, and the call rejects with the signal's reason. For
   * long reads that somebody may stop waiting for.
   */
  signal?: AbortSignal | undefined;
  /**
   * The answer of the whole call, if it is known by then. An idempotency key saves it in this
   * transaction. See `answersCall`.
   */
  answer?: (result: T) => CallAnswer | undefined;
  /**
   * True when this is not the call's real work, for example a limit's count. If the call then
   * fails, its idempotency key is released.
   */
  isAside?: boolean;
}

export interface Database {
  /**
   * Runs `work` in one transaction as the given workspace. Rolls back when it throws. Runs it anew
   * when it holds a lock that others wait for, and would wait long itself (`Lock.patienceMs`): it
   * must change nothing but the database.
   */
  asTenant<T>(
    workspaceId: number,
    work: (tx: TenantTx) => Promise<T>,
    options?: TenantOptions<T>,
  ): Promise<T>;
  readonly system: SystemDb;
  /**
   * A connection for a stream of a workspace's rows. The caller keeps it until `release`, which
   * also lets the next waiting caller go on. `streamFrom` takes care of that.
   */
  lendStream(workspaceId: number): Promise<pg.PoolClient>;
  /** Where `system` gets its connections, for code that needs another kind of handle on them. */
  readonly lender: PostgresPool;
  /** Bypasses all queues. For readiness and tests. */
  readonly pool: pg.Pool;
  connections(): PoolFigures[];
  /** Called when code breaks a rule that keeps calls from waiting for each other for ever. */
  onMisuse(error: Error): void;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Connection string of the role that is bound by row-level security. */
  url: string;
  /** The role to take on each connection when the URL's user is more powerful. */
  role?: string | undefined;
  /** The most connections for each purpose. */
  sizes?: PoolSizes | undefined;
  /** The same number for each purpose. */
  maxConnections?: number;
  /** How long a download waits for its turn. */
  streamWaitMs?: number | undefined;
  applicationName?: string;
  /**
   * Called when an idle connection breaks, for example because the server restarts. The pool opens
   * a new one.
   */
  onIdleError?: (error: Error) => void;
  /**
   * Called when code breaks a rule that keeps calls from waiting for each other for ever. Absent:
   * it throws instead.
   */
  onMisuse?: ((error: Error) => void) | undefined;
}

/** For a call whose answer is the result of its one transaction. */
export const answersCall = { answer: (body: unknown): CallAnswer => ({ body }) };

/** The same for a call that becomes a task where its result has not got this field. */
export const answersCallWith = (field: string) => ({
  answer: (body: unknown): CallAnswer | undefined =>
    typeof body === 'object' && body !== null && field in body ? { body } : undefined,
});

export function openDatabase(options: DatabaseOptions): Database {
  const pools = openPools(options);
  const lender: PostgresPool = { connect: () => pools.lend() as never, end: () => pools.end(), options: {} };
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: lender }) });
  return {
    pool: pools.background,
    lender,
    system: kysely,
    asTenant: (workspaceId, work, tenantOptions = {}) => {
      const once = () =>
        kysely
          .transaction()
          .execute((tx) =>
            withContext({ holdsConnection: true }, () =>
              runAsTenant(tx, workspaceId, work, tenantOptions, options),
            ),
          );
      const limits = { limitMs: pools.longestLockMs(), signal: tenantOptions.signal };
      return withContext({ workspaceId }, () => beginAgain(limits, once));
    },
    lendStream: (workspaceId) => pools.lend('streams', workspaceId),
    connections: () => pools.figures(),
    onMisuse: options.onMisuse ?? throwIt,
    close: () => kysely.destroy(),
  };
}

async function runAsTenant<T>(
  tx: Transaction<Tables>,
  workspaceId: number,
  work: (tx: TenantTx) => Promise<T>,
  { signal, answer, isAside = false }: TenantOptions<T>,
  options: DatabaseOptions,
): Promise<T> {
  await setTenant(tx, workspaceId);
  watchLocks(tx, options.onMisuse ?? throwIt);
  const tenant = tx as TenantTx;
  try {
    const result = await (signal
      ? untilAborted(tenant, signal, options.url, () => work(tenant))
      : work(tenant));
    if (!isAside) await currentContext().beforeCommit?.(tenant, workspaceId, answer?.(result));
    return result;
  } catch (error) {
    throw hasYielded(tx, error) ? new Yielded(error) : error;
  }
}

/**
 * A handle on one connection that the caller opens and closes, for work that mixes COPY with
 * queries. The caller decides whether a transaction is open, and for which workspace. With
 * `watchLocks(client, …)` at its beginning, the locks of all handles on the client are watched.
 */
export function kyselyOn(client: pg.ClientBase): TenantTx {
  // A plain object that does not inherit from the client, because the client keeps its state in
  // itself.
  const connection = {
    query: (...values: unknown[]) => Reflect.apply(client.query, client, values),
    release: () => undefined,
  };
  const pool = { connect: async () => connection, end: async () => undefined };
  const handle = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }) });
  shareLocks(handle, client);
  return handle as unknown as TenantTx;
}

/**
 * The statement that binds a transaction to a workspace. `set_config()` would not reach the shards
 * of a cluster.
 */
export function tenantStatement(workspaceId: number): string {
  if (!Number.isSafeInteger(workspaceId) || workspaceId <= 0)
    throw new RangeError(`no workspace ${workspaceId}`);
  return `set local app.workspace_id = '${workspaceId}'`;
}

async function setTenant(tx: Transaction<Tables>, workspaceId: number): Promise<void> {
  await sql.raw(tenantStatement(workspaceId)).execute(tx);
}

/** Time between two cancels. A statement that began just after one cancel is caught by the next. */
const cancelEveryMs = 200;

/** Runs the work. Once the signal is aborted, cancels each of its statements until it gives up. */
async function untilAborted<T>(
  tx: TenantTx,
  signal: AbortSignal,
  url: string,
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
  signal.throwIfAborted();
  const atWork = new AbortController();
  let cancelling: Promise<void> | undefined;
  const cancel = () => {
    cancelling = cancelAgain(url, rows[0]?.pid ?? 0, atWork.signal).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await work();
  } catch (error) {
    // The statement's own error says only that it was cancelled.
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    atWork.abort();
    // Wait before the connection goes to anybody else, or this would cancel their statement.
    await cancelling;
  }
}

/**
 * Uses its own connection, signed in as the URL's user. The pool may be busy, and the role we take
 * may not cancel any statement.
 */
async function cancelAgain(url: string, pid: number, atWork: AbortSignal): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    while (!atWork.aborted) {
      await client.query('select pg_cancel_backend($1)', [pid]);
      await sleep(cancelEveryMs, undefined, { signal: atWork }).catch(() => undefined);
    }
  } finally {
    await client.end();
  }
}

function throwIt(error: Error): never {
  throw error;
}

function openPools(options: DatabaseOptions): Pools {
  const { maxConnections: most } = options;
  return createPools({
    sizes:
      options.sizes ??
      (most === undefined
        ? usualSizes
        : { interactive: most, background: most, streams: most, public: most }),
    streamWaitMs: options.streamWaitMs,
    config: {
      connectionString: options.url,
      application_name: options.applicationName ?? 'email-manager',
      ...(options.role ? { options: `-c role=${options.role}` } : {}),
    },
    onIdleError: (error) => options.onIdleError?.(error),
    onMisuse: options.onMisuse ?? throwIt,
  });
}

const connectionCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'],
  // While a database moves to another machine, or starts anew with its name.
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENOTFOUND', 'EAI_AGAIN'],
]);

/**
 * True when the database was unreachable or went away during the call, so that a later retry may
 * work.
 */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state) return state.startsWith('08') || state.startsWith('57P') || state === '53300';
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // A missing socket, not a missing file.
  if (code === 'ENOENT') return syscall === 'connect';
  return (
    connectionCodes.has(code) ||
    /Connection terminated|timeout exceeded when trying to connect|is not queryable/.test(error.message)
  );
}

/**
 * The errors above that come from a connection that was there: a commit may have arrived. The
 * others say that there was none.
 */
export function isLost(error: unknown): boolean {
  const state = sqlState(error);
  if (state) return state === '57P01' || state === '57P02';
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  return (
    (syscall !== 'connect' && (code === 'ECONNRESET' || code === 'EPIPE')) ||
    /Connection terminated unexpectedly/.test(message)
  );
}
