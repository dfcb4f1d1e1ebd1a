import type { Kysely, RawBuilder, Transaction } from 'kysely';

// The tables are described by db/schema.sql; queries are plain SQL with a row type each.
// biome-ignore lint/suspicious/noExplicitAny: no table types are kept beside the SQL
export type Tables = any;

declare const tenantMark: unique symbol;

/**
 * A transaction bound to one workspace: row-level security shows and takes only that workspace's
 * rows.
 */
export type TenantTx = Transaction<Tables> & { readonly [tenantMark]: true };

/**
 * A handle without a workspace: sees only tables that belong to no tenant, and SECURITY DEFINER
 * functions.
 */
export type SystemDb = Kysely<Tables>;

/** A piece of SQL with its parameters, to stand in a statement. */
export type Fragment = RawBuilder<unknown>;

/**
 * PostgreSQL's five-character code
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html), if the error has one.
 */
export function sqlState(error: unknown): string | undefined {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') {
    return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
  }
  return undefined;
}
