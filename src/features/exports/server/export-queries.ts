import { sql } from 'kysely';
import { basisColumnNames, columnOfField, fieldOfColumn } from '#features/contacts/rules/extra-columns.ts';
import { statusText } from '#features/contacts/server/index.ts';
import { neutralised } from '#platform/server/csv-copy.ts';
import type { Fragment } from '#platform/server/database.ts';
import { isoTime } from '#platform/server/iso-time.ts';
import type { ExportFormat } from '../contract.ts';
/** A column of an export. `isWritten` means that people wrote it, so it may hold anything. */
export interface ExportColumn {
  header: string;
  value: Fragment;
  isWritten: boolean;
  /** The value in JSON, if that can say more than text. */
  json?: Fragment;
  /** Its header where people brought a column of the same name. */
  ifTaken?: string;
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

/** After the columns that exports have always begun with. */
const names: ExportColumn[] = [
  written('first_name', sql`c.first_name`),
  written('last_name', sql`c.last_name`),
];

const isName = (field: string): boolean => names.some(({ header }) => header === field);

const extra = (field: string): Fragment => sql`(c.attributes ->> ${field})`;

/** A name, or the extra field that people kept under the same name before there was one. */
const orOwn = ({ header, value }: ExportColumn): ExportColumn =>
  written(header, sql`coalesce(${value}, ${extra(header)})`);

/** An extra field, as far as no other column has it. */
const besideNames = (field: string): Fragment =>
  isName(field) ? sql`case when ${sql.ref(`c.${field}`)} is not null then ${extra(field)} end` : extra(field);

/**
 * The columns of a table: the fields, first and last name, the marketing basis, the extra
 * fields, those among the allowed columns first, and what is wanted besides. If a name clashes,
 * the people's column keeps it, but for what contacts have anyway: `extra_status` is what a file
 * called status. The basis comes before the extra fields, because an import takes the first
 * column that may be one.
 */
export function tableColumns(
  allowedColumns: readonly string[],
  extraFields: readonly string[],
  { bases = [], besides = [] }: Partial<Pick<RecordsQuery, 'bases' | 'besides'>> = {},
): ExportColumn[] {
  const allowed = allowedColumns
    .map((column) => asWritten(fieldOfColumn(column.trim().toLowerCase()), extraFields))
    .filter((name) => name !== '');
  const all = new Set([...allowed, ...extraFields]);
  const ofNames = names.map((column) => (all.has(column.header) ? orOwn(column) : column));
  const own = [...fields, ...ofNames, ...bases];
  const ofAll = new Set([...own.map(({ header }) => header), ...basisColumnNames]);
  const extras = [...all]
    // Among the allowed columns, such a name means the field that every contact has. A file with
    // two columns for it has brought an extra field of that name as well.
    .filter((name) => !ofAll.has(name) || extraFields.includes(name))
    .map((name) => written(columnOfField(name), besideNames(name)));
  const known = new Set([...own, ...extras].map(({ header }) => header));
  const named = besides.map(({ ifTaken = '', ...column }) =>
    known.has(column.header) ? { ...column, header: freeName(ifTaken, known) } : column,
  );
  return [...own, ...extras, ...named];
}

/** An allowed column is the extra field that contacts have, whatever its capitals. */
const asWritten = (name: string, extraFields: readonly string[]): string =>
  extraFields.includes(name) ? name : (extraFields.find((one) => one.toLowerCase() === name) ?? name);

const freeName = (name: string, taken: ReadonlySet<string>): string =>
  taken.has(name) ? freeName(`${name}_`, taken) : name;

/**
 * The most that a cell of a workbook can hold, in UTF-16 units. With a longer one, Excel calls the
 * file damaged.
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

/** Escapes characters that XML cannot hold, the way workbooks do (ECMA-376, ST_Xstring). */
const withoutRare = (text: Fragment): Fragment =>
  rare.reduce<Fragment>(
    (inner, [character, code]) => sql`replace(${inner}, ${sql.raw(character)}, ${code})`,
    text,
  );

/**
 * Text as the content of an XML element on one line. Cheap when nothing needs escaping, which is
 * nearly always.
 */
const xmlText = (text: Fragment): Fragment => {
  const cut = sql`case when length(${text}) <= ${sql.lit(longestCell >> 1)} then ${text}
    else left(${text}, ${sql.lit(longestCell)} - length(regexp_replace(left(${text}, ${sql.lit(longestCell)}), ${sql.raw(`E'[^\\U00010000-\\U0010FFFF]'`)}, '', 'g'))) end`;
  // Looked ahead, not taken: in `_x0041_x0042_` the middle underscore ends one and begins another.
  const underscored = sql`regexp_replace(${cut}, '_(?=x[0-9A-Fa-f]{4})', '_x005F_', 'g')`;
  const marked = sql`replace(replace(replace(${underscored}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')`;
  const inOneLine = sql`replace(replace(replace(${marked}, chr(9), '&#9;'), chr(10), '&#10;'), chr(13), '&#13;')`;
  return sql`case
    when ${text} ~ ${sql.raw(`E'[\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff]'`)} then ${withoutRare(inOneLine)}
    when ${text} ~ ${sql.raw(`E'[&<>\\t\\n\\r]|_x'`)} or length(${text}) > ${sql.lit(longestCell >> 1)} then ${inOneLine}
    else ${text} end`;
};

/** Excel's name for a column: A to Z, then AA. */
export function columnName(index: number): string {
  const before = Math.floor(index / 26) - 1;
  return (before < 0 ? '' : columnName(before)) + String.fromCharCode(65 + (index % 26));
}

/**
 * A row of a worksheet. Every cell is text, so that nothing runs as a formula or is read as a
 * number or a date. Row numbers restart in each part.
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
  /** The columns of the marketing basis, if there are any. */
  bases: readonly ExportColumn[];
  /** The columns that JSON has besides the usual ones. */
  besides: readonly ExportColumn[];
  /** The contacts `c` with everything that the columns are made of. */
  from: Fragment;
  /** Which contacts `c`. */
  where: Fragment;
  withHeader: boolean;
  /** Records per part of a workbook. */
  perPart: number;
}

/**
 * The query whose rows are the records of an export, in no particular order. CSV has one SQL column
 * per column. JSON and worksheets have one text without line breaks per record; JSON starts it with
 * the separating comma.
 */
export function recordsQuery(request: RecordsQuery): Fragment {
  const { format, columns, bases, besides, from, where, withHeader, perPart } = request;
  if (format === 'json') {
    const values = [...fields, ...names, ...bases, ...besides].map(
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
 * How COPY writes the records. Everything people wrote is quoted, because spreadsheets in some
 * countries also split unquoted text at semicolons. A record that is one text is sent as it is: it
 * holds no character that would be quoted.
 */
export function copyOptions(format: ExportFormat, columns: readonly ExportColumn[]): string {
  if (format !== 'csv') return `format csv, delimiter E'\\x02', quote E'\\x01'`;
  const quoted = columns.flatMap(({ isWritten }, index) => (isWritten ? [`c${index}`] : []));
  return `format csv, force_quote (${quoted.join(', ')})`;
}
