import type { Readable } from 'node:stream';
import { type CompiledQuery, sql } from 'kysely';
import type { Database, Fragment, SystemDb } from './database.ts';
import { streamCopy } from './stream-from.ts';
/**
 * Puts an apostrophe before text that a spreadsheet would run. It follows the same rule as
 * `neutralise` in the imports' CSV rules, which undo it. Comparing the first character is cheap and
 * rules out most texts before the pattern is tried.
 */
export const neutralised = (text: Fragment): Fragment => sql`
  case when ascii(${text}) in (9, 10, 13, 39, 43, 45, 61, 64, 65291, 65293, 65309, 65312)
         and ${text} ~ ${sql.raw(`E'^\\'*[=+@\\t\\r\\n\\uff1d\\uff0b\\uff0d\\uff20-]'`)}
         and ${text} !~ '^(-[0-9]+([.][0-9]+)?|[+][0-9][0-9 ().]*)$'
       then '''' || ${text} else ${text} end`;

/**
 * The COPY statement for a query. PostgreSQL's own quoting rules write the parameters into the
 * text.
 */
export function copyText(db: SystemDb, query: Fragment, options: string): string {
  const compiled: CompiledQuery = query.compile(db);
  const text = compiled.sql.replaceAll(/\$(\d+)/g, (_match, index) =>
    literal(compiled.parameters[Number(index) - 1]),
  );
  return `copy (${text}) to stdout (${options})`;
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') throw new TypeError(`no literal for ${typeof value}`);
  const quoted = `'${value.replaceAll("'", "''")}'`;
  return value.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

/**
 * A query as a stream of CSV with column names. `written` names the columns that hold what people
 * wrote.
 */
export async function streamCsv(
  db: Database,
  workspaceId: number,
  query: Fragment,
  written: readonly string[],
): Promise<Readable> {
  const statement = copyText(db.system, query, `format csv, header, force_quote (${written.join(', ')})`);
  return streamCopy(db, workspaceId, statement);
}
