import { type CompiledQuery, sql } from 'kysely';
import type { SystemDb } from '#platform/server/database.ts';
import { contactsWithSuppression, type Fragment, statusText } from './filter-queries.ts';

/**
 * The text with an apostrophe before it where a spreadsheet would run it: the same decision as `neutralise` in the
 * imports' CSV rules, which undo it. Its first character is compared before the pattern is tried; few texts get that far.
 */
export const neutralised = (text: Fragment): Fragment => sql`
  case when ascii(${text}) in (9, 10, 13, 39, 43, 45, 61, 64, 65291, 65293, 65309, 65312)
         and ${text} ~ ${sql.raw(`E'^\\'*[=+@\\t\\r\\n\\uff1d\\uff0b\\uff0d\\uff20-]'`)}
       then '''' || ${text} else ${text} end`;

/** The columns of an export, in order, with their headers. */
const columns: [header: string, value: Fragment][] = [
  [
    'email',
    neutralised(
      sql`coalesce(c.address, case when c.domain = '' then c.local else c.local || '@' || c.domain end)`,
    ),
  ],
  ['name', neutralised(sql`c.name`)],
  ['source', neutralised(sql`c.source`)],
  ['date', neutralised(sql`c.date`)],
  ['status', statusText],
  ['notes', neutralised(sql`c.notes`)],
  ['created', sql`c.created_at::timestamptz(0)`],
];

/**
 * The statement that sends contacts as CSV, in no particular order: `where` picks them. COPY takes no parameters, so
 * the caller has to have quoted every value into the text; see `copyText`. All that people wrote is put into quotation
 * marks, for a spreadsheet of another country cuts unquoted text at semicolons too.
 */
export const exportQuery = (where: Fragment): Fragment => sql`
  select ${sql.join(columns.map(([header, value]) => sql`${value} as ${sql.ref(header)}`))}
  from ${contactsWithSuppression} where ${where}`;

/** The COPY statement for a query, its parameters written into the text by PostgreSQL's own rules for literals. */
export function copyText(db: SystemDb, query: Fragment, withHeader: boolean): string {
  const compiled: CompiledQuery = query.compile(db);
  const text = compiled.sql.replaceAll(/\$(\d+)/g, (_match, index) =>
    literal(compiled.parameters[Number(index) - 1]),
  );
  return `copy (${text}) to stdout (format csv, header ${withHeader}, force_quote (email, name, source, date, notes))`;
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') throw new TypeError(`no literal for ${typeof value}`);
  const quoted = `'${value.replaceAll("'", "''")}'`;
  return value.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}
