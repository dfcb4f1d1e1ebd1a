import { sql } from 'kysely';
import { statusText } from '#features/contacts/server/index.ts';
import { neutralised } from '#platform/server/csv-copy.ts';
import type { Fragment } from '#platform/server/database.ts';
import { isoTime } from '#platform/server/iso-time.ts';
import type { ExportFormat } from '../contract.ts';
/** A column of an export. `isWritten`: people wrote it, so it may hold anything. */
export interface ExportColumn {
  header: string;
  value: Fragment;
  isWritten: boolean;
  /** In JSON, where that can say more than a text. */
  json?: Fragment;
}

const written = (header: string, value: Fragment): ExportColumn => ({ header, value, isWritten: true });

const fields: ExportColumn[] = [
  written(
    'email',
    sql`coalesce(c.address, case when c.domain = '' then c.local else c.local || '@' || c.domain end)`,
  ),
  written('name', sql`c.name`),
  written('source', sql`c.source`),
  written('date', sql`c.date`),
  { header: 'status', value: statusText, isWritten: false },
  written('notes', sql`c.notes`),
  { header: 'created', value: isoTime(sql`c.created_at`), isWritten: false },
];

/**
 * The columns of a table: the fields, then an extra field for each other name among the allowed
 * columns, then the verdicts, if they are to be in it. A name that people gave is theirs.
 */
export function tableColumns(
  allowedColumns: readonly string[],
  verdicts: readonly ExportColumn[] = [],
): ExportColumn[] {
  const known = new Set(fields.map(({ header }) => header));
  const extras: ExportColumn[] = [];
  for (const name of allowedColumns.map((column) => column.trim().toLowerCase())) {
    if (known.has(name)) continue;
    known.add(name);
    extras.push(written(name, sql`(c.attributes ->> ${name})`));
  }
  const named = verdicts.map((column) =>
    known.has(column.header) ? { ...column, header: `verification_${column.header}` } : column,
  );
  return [...fields, ...extras, ...named];
}

/**
 * The most that a cell of a workbook holds, in UTF-16 units; a longer one makes Excel call the file
 * damaged.
 */
const longestCell = 32_767;

const rare: [character: string, written: string][] = [
  ...Array.from({ length: 32 }, (_, code) => code),
  0xfffe,
  0xffff,
].flatMap((code) =>
  [0, 9, 10, 13].includes(code)
    ? []
    : [[`chr(${code})`, `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`] as [string, string]],
);

/**
 * Characters that XML cannot hold are written the way workbooks write them (ECMA-376, ST_Xstring).
 */
const withoutRare = (text: Fragment): Fragment =>
  rare.reduce<Fragment>(
    (inner, [character, code]) => sql`replace(${inner}, ${sql.raw(character)}, ${code})`,
    text,
  );

/**
 * Text as the content of an XML element in one line. Cheap for what needs nothing, which is nearly
 * all.
 */
const xmlText = (text: Fragment): Fragment => {
  const cut = sql`case when length(${text}) <= ${sql.lit(longestCell >> 1)} then ${text}
    else left(${text}, ${sql.lit(longestCell)} - length(regexp_replace(left(${text}, ${sql.lit(longestCell)}), ${sql.raw(`E'[^\\U00010000-\\U0010FFFF]'`)}, '', 'g'))) end`;
  const underscored = sql`regexp_replace(${cut}, '_(x[0-9A-Fa-f]{4}_)', '_x005F_\\1', 'g')`;
  const marked = sql`replace(replace(replace(${underscored}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')`;
  const inOneLine = sql`replace(replace(replace(${marked}, chr(9), '&#9;'), chr(10), '&#10;'), chr(13), '&#13;')`;
  return sql`case
    when ${text} ~ ${sql.raw(`E'[\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff]'`)} then ${withoutRare(inOneLine)}
    when ${text} ~ ${sql.raw(`E'[&<>\\t\\n\\r]|_x'`)} or length(${text}) > ${sql.lit(longestCell >> 1)} then ${inOneLine}
    else ${text} end`;
};

/** Excel's name of a column: A to Z, then AA. */
export function columnName(index: number): string {
  const before = Math.floor(index / 26) - 1;
  return (before < 0 ? '' : columnName(before)) + String.fromCharCode(65 + (index % 26));
}

/**
 * A row of a worksheet, every cell as text, so that nothing is run as a formula or taken for a
 * number or a date. Rows are numbered anew in each part.
 */
function sheetRow(columns: readonly ExportColumn[]): Fragment {
  const cells = columns.map(({ isWritten }, index) => {
    const text = sql.raw(`row.c${index}`);
    const open = `<c r="${columnName(index)}`;
    return sql`coalesce(${open} || number || '" s="1" t="inlineStr"><is><t xml:space="preserve">'
      || ${isWritten ? xmlText(text) : text} || '</t></is></c>', '')`;
  });
  return sql`'<row r="' || number || '">' || ${sql.join(cells, sql` || `)} || '</row>'`;
}

export interface RecordsQuery {
  format: ExportFormat;
  columns: readonly ExportColumn[];
  /** Those of them that JSON has beside the usual ones. */
  verdicts: readonly ExportColumn[];
  /** The contacts `c` with all that the columns are made of. */
  from: Fragment;
  /** Which contacts `c`. */
  where: Fragment;
  withHeader: boolean;
  /** Records in a part of a workbook. */
  perPart: number;
}

/**
 * The query whose rows are the records of an export, in no particular order. CSV: one column a
 * column. JSON and worksheets: one text without line breaks, the whole record; JSON with the comma
 * that stands before it.
 */
export function recordsQuery(request: RecordsQuery): Fragment {
  const { format, columns, verdicts, from, where, withHeader, perPart } = request;
  if (format === 'json') {
    const values = [...fields, ...verdicts].map(
      ({ header, value, json = value }) => sql`${json} as ${sql.ref(header)}`,
    );
    return sql`
      select ',' || row_to_json(row)::text
      from (select ${sql.join(values)}, coalesce(c.attributes, '{}') as attributes
            from ${from} where ${where}) row`;
  }
  if (format === 'csv') {
    const values = columns.map(({ value, isWritten }) => (isWritten ? neutralised(value) : value));
    return sql`
      select ${sql.join(values.map((value, index) => sql`${value} as ${sql.ref(`c${index}`)}`))}
      from ${from} where ${where}`;
  }
  const values = columns.map(({ value }, index) => sql`(${value})::text as ${sql.ref(`c${index}`)}`);
  return sql`
    select ${sheetRow(columns)}
    from (select ${sql.join(values)},
                 (row_number() over () - 1) % ${sql.lit(perPart)} + ${sql.lit(withHeader ? 2 : 1)} as number
          from ${from} where ${where}) row`;
}

/**
 * How COPY writes the records. All that people wrote is put into quotation marks, for a spreadsheet
 * of another country cuts unquoted text at semicolons too. What is one text a record is sent as it
 * is: it holds none of the characters that would be quoted.
 */
export function copyOptions(format: ExportFormat, columns: readonly ExportColumn[]): string {
  if (format !== 'csv') return `format csv, delimiter E'\\x02', quote E'\\x01'`;
  const quoted = columns.flatMap(({ isWritten }, index) => (isWritten ? [`c${index}`] : []));
  return `format csv, force_quote (${quoted.join(', ')})`;
}
