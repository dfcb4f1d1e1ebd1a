import { reservedNames } from './contact-change.ts';

const prefix = 'extra_';

/** Whether the name, without the prefixes before it, is that of a column of every export. */
const isLikeReserved = (name: string): boolean =>
  reservedNames.has(name.toLowerCase().replace(/^(extra_)+/, ''));

/**
 * What the column of an extra field is called in a table. A field `name` is `extra_name` there,
 * because every contact has a name. One called `extra_name` gets the prefix too, so that the two
 * are told apart when the table comes back.
 */
export const columnOfField = (name: string): string => (isLikeReserved(name) ? prefix + name : name);

/** The name of the extra field that a column holds, from the column's name in lower case. */
export const fieldOfColumn = (column: string): string =>
  column.startsWith(prefix) && isLikeReserved(column) ? column.slice(prefix.length) : column;
