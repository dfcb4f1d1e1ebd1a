import { reservedNames } from './contact-change.ts';

const prefix = 'extra_';

/** The columns of the marketing basis in an export. An import knows them by these names. */
export const basisColumnNames = [
  'marketing_basis',
  'marketing_basis_source',
  'marketing_basis_date',
] as const;

const ownColumns: ReadonlySet<string> = new Set([...reservedNames, ...basisColumnNames]);

/** Whether the name, without the prefixes before it, is that of a column of our exports. */
const isLikeReserved = (name: string): boolean =>
  ownColumns.has(name.toLowerCase().replace(/^(extra_)+/, ''));

/**
 * What the column of an extra field is called in a table. A field `name` is `extra_name` there,
 * because every contact has a name; likewise `marketing_basis`, which would be read as the
 * basis. One called `extra_name` gets the prefix too, so that the two are told apart when the
 * table comes back.
 */
export const columnOfField = (name: string): string => (isLikeReserved(name) ? prefix + name : name);

/** The name of the extra field that a column holds, from the column's name in lower case. */
export const fieldOfColumn = (column: string): string =>
  column.startsWith(prefix) && isLikeReserved(column) ? column.slice(prefix.length) : column;
