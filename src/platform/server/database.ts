import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely';
import pg from 'pg';

// bigint ids and counts stay far below 2^53, and JSON has no wider number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

// The tables are described by db/schema.sql; queries are plain SQL with a row type each.
// biome-ignore lint/suspicious/noExplicitAny: no table types are kept beside the SQL
type Tables = any;

declare const tenantMark: unique symbol;

/** A transaction bound to one workspace: row-level security shows and takes only that workspace's rows. */
export type TenantTx = Transaction<Tables> & { readonly [tenantMark]: true };

/** A handle without a workspace: sees only tables that belong to no tenant, and SECURITY DEFINER functions. */
export type SystemDb = Kysely<Tables>;

/** A piece of SQL with its parameters, to stand in a statement. */
export type Fragment = RawBuilder<unknown>;

export interface Database {
  /**
   * Runs `work` in one transaction as the given workspace. Rolls back when it throws. `signal`: when it is aborted, what the
   * database is at work on is ended, and this rejects with its reason; for long reads that somebody may stop waiting for.
   */
  asTenant<T>(
    workspaceId: number,
    work: (tx: TenantTx) => Promise<T>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<T>;
  readonly system: SystemDb;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Connection string of the role that is bound by row-level security. */
  url: string;
  /** The role to take on each connection, where the URL's user is a more powerful one. */
  role?: string | undefined;
  maxConnections?: number;
  applicationName?: string;
  /** Called when an idle connection breaks, e.g. because the server restarts; the pool opens a new one. */
  onIdleError?: (error: Error) => void;
}

export function openDatabase(options: DatabaseOptions): Database {
  const pool = createPool(options);
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    pool,
    system: kysely,
    asTenant: (workspaceId, work, { signal } = {}) =>
      kysely.transaction().execute(async (tx) => {
        await setTenant(tx, workspaceId);
        const tenant = tx as TenantTx;
        return signal ? untilAborted(tenant, signal, options.url, () => work(tenant)) : work(tenant);
      }),
    close: () => kysely.destroy(),
  };
}

/**
 * A handle on one connection that somebody else opened and will close, for work that mixes COPY with queries. Whether a
 * transaction is open, and for which workspace, is the opener's business.
 */
export function kyselyOn(client: pg.Client): TenantTx {
  // A plain object, not one that inherits from the client: the client keeps its state in itself.
  const connection = {
    query: (...values: unknown[]) => Reflect.apply(client.query, client, values),
    release: () => undefined,
  };
  const pool = { connect: async () => connection, end: async () => undefined };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }) }) as unknown as TenantTx;
}

/** The statement that binds a transaction to a workspace; `set_config()` would not reach the shards of a cluster. */
export function tenantStatement(workspaceId: number): string {
  if (!Number.isSafeInteger(workspaceId) || workspaceId <= 0)
    throw new RangeError(`no workspace ${workspaceId}`);
  return `set local app.workspace_id = '${workspaceId}'`;
}

async function setTenant(tx: Transaction<Tables>, workspaceId: number): Promise<void> {
  await sql.raw(tenantStatement(workspaceId)).execute(tx);
}

/** How long to wait before ending a statement that began just after the one before it was ended. */
const cancelEveryMs = 200;

/** Does the work; once the signal is aborted, ends each statement of it until it gives up. */
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
    // The statement's own error says only that it was ended.
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', cancel);
    atWork.abort();
    // Before the connection goes to anybody else, whose statement it would end.
    await cancelling;
  }
}

/** By a connection of its own, as the user who signed in: the pool may be busy, and a role taken may end nobody's statement. */
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

function createPool(options: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections ?? 10,
    application_name: options.applicationName ?? 'email-manager',
    connectionTimeoutMillis: 10_000,
    ...(options.role ? { options: `-c role=${options.role}` } : {}),
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  return pool;
}

/** PostgreSQL's five-character code (https://www.postgresql.org/docs/current/errcodes-appendix.html), if the error has one. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') {
    return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
  }
  return undefined;
}

const connectionCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);

/** True when the database could not be reached or went away in mid-call, so that trying again later may work. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state) return state.startsWith('08') || state.startsWith('57P') || state === '53300';
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    connectionCodes.has(code) ||
    /Connection terminated|timeout exceeded when trying to connect/.test(error.message)
  );
}
