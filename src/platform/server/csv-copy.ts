import type { Readable } from 'node:stream';
import { type CompiledQuery, sql } from 'kysely';
import { streamCopy } from './copy-stream.ts';
import type { Database, Fragment, SystemDb } from './database.ts';
/**
 * The text with an apostrophe before it where a spreadsheet would run it: the same decision as
 * `neutralise` in the imports' CSV rules, which undo it. Its first character is compared before the
 * pattern is tried; few texts get that far.
 */
export const neutralised = (text: Fragment): Fragment => sql`
  case when ascii(${text}) in (9, 10, 13, 39, 43, 45, 61, 64, 65291, 65293, 65309, 65312)
         and ${text} ~ ${sql.raw(`E'^\\'*[=+@\\t\\r\\n\\uff1d\\uff0b\\uff0d\\uff20-]'`)}
       then '''' || ${text} else ${text} end`;

/**
 * The COPY statement for a query, its parameters written into the text by PostgreSQL's own rules
 * for literals.
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
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') throw new TypeError(`no literal for ${typeof value}`);
  const quoted = `'${value.replaceAll("'", "''")}'`;
  return value.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

/**
 * A query as a stream of CSV with its columns' names. What people wrote is in the columns named
 * `written`.
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
