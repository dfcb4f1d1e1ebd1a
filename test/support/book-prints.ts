import { sql } from 'kysely';
import type { TestApp } from './app.ts';

/**
 * Tables that change by themselves: last visits, running counts, and data that can be rebuilt from
 * other tables.
 */
const passing =
  /^(sessions|rate_limits|api_key_uses|idempotency_keys|contact_search.*|import_(judged|staging|sums)_\d|domain_mail)$/;
/** Columns with somebody's last visit. */
const passingColumns = ['last_seen_at', 'last_used_at'];

/** One print per table. Two prints differ if any row was added, changed or removed in between. */
export type Prints = Record<string, string>;

/**
 * Prints of all tables as they are now. With a workspace, only its rows. Shows that a call changed
 * nothing, whatever it tried.
 */
export async function bookPrints(test: Pick<TestApp, 'owner'>, workspaceId?: number): Promise<Prints> {
  const tables = (await tablesOf(test)).filter((table) => workspaceId === undefined || table.ofWorkspace);
  const queries = tables.map(({ name }) => {
    const where = workspaceId === undefined ? sql`` : sql`where workspace_id = ${workspaceId}`;
    return sql`
      select ${sql.lit(name)} as name,
        count(*) || ' rows ' || coalesce(md5(string_agg(line, '' order by line)), '') as print
      from (select (to_jsonb(t) - ${sql.lit(`{${passingColumns}}`)}::text[])::text as line
        from ${sql.table(name)} t ${where}) lines`;
  });
  const { rows } = await sql<{ name: string; print: string }>`${sql.join(queries, sql` union all `)}`.execute(
    test.owner.system,
  );
  return Object.fromEntries(rows.map(({ name, print }) => [name, print]));
}

interface TableShape {
  name: string;
  ofWorkspace: boolean;
}
const known = new WeakMap<object, Promise<TableShape[]>>();

function tablesOf(test: Pick<TestApp, 'owner'>): Promise<TableShape[]> {
  const found = known.get(test.owner) ?? readTables(test);
  known.set(test.owner, found);
  return found;
}

async function readTables(test: Pick<TestApp, 'owner'>): Promise<TableShape[]> {
  const { rows } = await sql<TableShape>`
    select t.table_name as name, exists (
      select from information_schema.columns c
      where c.table_schema = t.table_schema and c.table_name = t.table_name and c.column_name = 'workspace_id'
    ) as "ofWorkspace"
    from information_schema.tables t
    where t.table_schema = 'public' and t.table_type = 'BASE TABLE'
    order by 1`.execute(test.owner.system);
  return rows.filter(({ name }) => !passing.test(name));
}
