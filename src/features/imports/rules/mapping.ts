/**
 * A contact field that a column may go to. Any other column is kept by name among the attributes.
 */
const fieldHeaders: Record<string, 'name' | 'source' | 'date' | 'notes'> = {
  name: 'name',
  'full name': 'name',
  fullname: 'name',
  'contact name': 'name',
  source: 'source',
  date: 'date',
  notes: 'notes',
};

/**
 * Where each column goes by default: the email column to the address, well-known headers to their
 * field if `allowedColumns` has that field, other allowed columns to an extra field with their
 * name, the rest nowhere.
 */
export function defaultTargets(columns: string[], emailColumn: number, allowedColumns: string[]): string[] {
  const allowed = new Set(allowedColumns.map((name) => name.trim().toLowerCase()));
  const taken = new Set<string>();
  return columns.map((column, index) => {
    if (index === emailColumn) return 'email';
    const header = column
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, ' ');
    const field = fieldHeaders[header];
    if (field && allowed.has(field) && !taken.has(field)) {
      taken.add(field);
      return field;
    }
    if (allowed.has(column.trim().toLowerCase())) return `extra:${column.trim().toLowerCase().slice(0, 100)}`;
    return 'skip';
  });
}

/** What it takes to read a row: the indexes of the addresses and of each kept column. */
export interface Mapping {
  /** The columns that hold addresses, in the file's order. */
  emails: number[];
  name: number;
  source: number;
  date: number;
  notes: number;
  extras: { index: number; name: string }[];
  /** All indexes above, so the reader slices no other columns. */
  wanted: number[];
}

export function mappingOf(targets: readonly string[]): Mapping {
  const find = (target: string) => targets.indexOf(target);
  const all = (matches: (target: string) => boolean) =>
    targets.flatMap((target, index) => (matches(target) ? [index] : []));
  return {
    emails: all((target) => target === 'email'),
    name: find('name'),
    source: find('source'),
    date: find('date'),
    notes: find('notes'),
    extras: all((target) => target.startsWith('extra:')).map((index) => ({
      index,
      name: (targets[index] as string).slice('extra:'.length),
    })),
    wanted: all((target) => target !== 'skip'),
  };
}
