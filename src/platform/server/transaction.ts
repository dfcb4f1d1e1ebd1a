import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';

// db/schema.sql describes the tables. Queries are plain SQL, each with a row type.
// biome-ignore lint/suspicious/noExplicitAny: no table types are kept beside the SQL
export type Tables = any;

declare const tenantMark: unique symbol;

/**
 * A transaction bound to one workspace. Row-level security shows and accepts only that workspace's
 * rows.
 */
export type TenantTx = Transaction<Tables> & { readonly [tenantMark]: true };

/**
 * A handle without a workspace. It sees only tables that belong to no tenant, and SECURITY DEFINER
 * functions.
 */
export type SystemDb = Kysely<Tables>;

/** A piece of SQL with its parameters, for use inside a statement. */
export type Fragment = RawBuilder<unknown>;

/**
 * A workspace's id, for a statement that looks up many of its rows by the rest of their key. The
 * planner does not see which workspace it is, and expects one of average size. Of a workspace that
 * has just grown it would expect a single row, and might go through all of them each time.
 */
export const averageWorkspace = (workspaceId: number): Fragment => sql`(select ${workspaceId}::bigint)`;

/**
 * PostgreSQL's five-character code
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html), if the error has one.
 */
export function sqlState(error: unknown): string | undefined {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') {
    // Node's own codes begin with E, such as EPIPE. No class of SQLSTATE does.
    return /^(?!E)[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
  }
  return undefined;
}
