import { longestAttributeName } from '#features/contacts/rules/contact-change.ts';
import { fieldOfColumn } from '#features/contacts/rules/extra-columns.ts';

/**
 * A contact field that a column may go to. Any other column is kept by name among the attributes.
 */
const fieldHeaders: Record<string, 'name' | 'firstName' | 'lastName' | 'source' | 'date' | 'notes'> = {
  name: 'name',
  'full name': 'name',
  fullname: 'name',
  'contact name': 'name',
  'display name': 'name',
  'first name': 'firstName',
  firstname: 'firstName',
  fname: 'firstName',
  forename: 'firstName',
  'given name': 'firstName',
  'last name': 'lastName',
  lastname: 'lastName',
  lname: 'lastName',
  surname: 'lastName',
  'family name': 'lastName',
  source: 'source',
  date: 'date',
  notes: 'notes',
};

/** How a mail program shows an address: "Jane Smith (jane@acme.co.uk)". A name if there is none. */
const shownNames = ['e mail display name', 'email display name'];

/**
 * Where each column goes by default: the email column to the address, well-known headers to their
 * field if `allowedColumns` has that field, other allowed columns to an extra field with their
 * name, the rest nowhere. An export's `extra_name` is the extra field `name` again. A second column
 * of the same extra field gets a number. `known` are the workspace's extra fields.
 */
export function defaultTargets(
  columns: string[],
  emailColumn: number,
  allowedColumns: string[],
  known: readonly string[] = [],
): string[] {
  const allowed = new Set(allowedColumns.map((name) => name.trim().toLowerCase()));
  const taken = new Set<string>();
  const own = extraFields(columns, known).map(targetOfField);
  const named = new Set(own);
  const headers = columns.map(plainHeader);
  const hasName = headers.some((header) => /name$/i.test(fieldHeaders[header] ?? ''));
  return columns.map((column, index) => {
    if (index === emailColumn) return 'email';
    const header = headers[index] as string;
    const ofBasis = basisHeaders[header];
    if (ofBasis && !taken.has(ofBasis)) {
      taken.add(ofBasis);
      return ofBasis;
    }
    const field = fieldHeaders[header] ?? (!hasName && shownNames.includes(header) ? 'name' : undefined);
    // The first and the last name are kept wherever the name is.
    const setting = field === 'firstName' || field === 'lastName' ? 'name' : field;
    if (field && setting && allowed.has(setting) && !taken.has(field)) {
      taken.add(field);
      return field;
    }
    const name = column.trim().toLowerCase();
    if (!allowed.has(name) && !allowed.has(fieldOfColumn(name))) return 'skip';
    const extra = freeExtra(own[index] as string, taken, named);
    taken.add(extra);
    return extra;
  });
}

/**
 * The extra field of each column's own name: its header in lower case, at most 100 characters. One
 * that contacts have already (`known`) is filled as it is written there: people and programs may
 * have named it in capitals, and a second field beside it would not be found by what asks for the
 * first.
 */
export function extraFields(columns: readonly string[], known: readonly string[]): string[] {
  const alike = Map.groupBy(known, (name) => name.toLowerCase());
  return columns.map((column) => {
    const header = column.trim();
    const name = [...fieldOfColumn(header.toLowerCase())].slice(0, longestAttributeName).join('') || 'field';
    const names = alike.get(name) ?? [name];
    return [header, name].find((one) => names.includes(one)) ?? (names[0] as string);
  });
}

export const targetOfField = (name: string): string => `extra:${name}`;

/**
 * The extra field for a column, with a number if its own (`wanted`) is among the targets that are
 * taken: `phone 2`. It is never the own one of another column (`named`), which may still be kept.
 */
export function freeExtra(wanted: string, taken: ReadonlySet<string>, named: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  const characters = [...wanted.slice('extra:'.length).toLowerCase()];
  for (let number = 2; ; number += 1) {
    const room = longestAttributeName - ` ${number}`.length;
    const target = `extra:${characters.slice(0, room).join('').trimEnd()} ${number}`;
    if (!taken.has(target) && !named.has(target)) return target;
  }
}

/**
 * Columns about the marketing basis. Which columns may be kept does not matter here: they are the
 * evidence for mailing somebody.
 */
const basisHeaders: Record<string, 'basis' | 'basisSource' | 'basisDate'> = {
  'marketing basis': 'basis',
  'lawful basis': 'basis',
  'legal basis': 'basis',
  'consent source': 'basisSource',
  'opt in source': 'basisSource',
  'optin source': 'basisSource',
  'marketing basis source': 'basisSource',
  'consent date': 'basisDate',
  'opt in date': 'basisDate',
  'optin date': 'basisDate',
  'marketing basis date': 'basisDate',
};

const plainHeader = (column: string): string =>
  column
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

/**
 * The targets with Do not mail for the columns that say so, unless they have a use already.
 */
export const withOptOuts = (targets: readonly string[], columns: readonly { index: number }[]): string[] =>
  targets.map((target, index) =>
    target === 'skip' && columns.some((column) => column.index === index) ? optOutTarget : target,
  );

export const optOutTarget = 'doNotMail';

/**
 * Whether several columns may have this target. A second column for any other would replace what
 * the first one says.
 */
export const takesSeveral = (target: string): boolean => ['email', optOutTarget, 'skip'].includes(target);

/** Two columns with a target that only one may have. Null when there are none. */
export function repeatedTarget(
  targets: readonly string[],
): { target: string; first: number; again: number } | null {
  const firsts = new Map<string, number>();
  for (const [again, target] of targets.entries()) {
    const first = firsts.get(target);
    if (first !== undefined && !takesSeveral(target)) return { target, first, again };
    firsts.set(target, again);
  }
  return null;
}

/**
 * Whether a column whose target changes says no more who must not be mailed: another target than Do
 * not mail was chosen for it, or it was left out.
 */
export const givesUpOptOut = (before: string, after: string): boolean =>
  before !== after && (before === optOutTarget || after === 'skip');

/** Whether rows say something of the marketing basis. */
export const saysBasis = ({ basis, basisSource, basisDate }: Mapping): boolean =>
  basis >= 0 || basisSource >= 0 || basisDate >= 0;

/** What it takes to read a row: the indexes of the addresses and of each kept column. */
export interface Mapping {
  /** The columns that hold addresses, in the file's order. */
  emails: number[];
  name: number;
  firstName: number;
  lastName: number;
  source: number;
  date: number;
  notes: number;
  /** What says the marketing basis, its source and its day. */
  basis: number;
  basisSource: number;
  basisDate: number;
  extras: { index: number; name: string }[];
  /** All indexes above. */
  wanted: number[];
}

export function mappingOf(targets: readonly string[]): Mapping {
  const find = (target: string) => targets.indexOf(target);
  const all = (matches: (target: string) => boolean) =>
    targets.flatMap((target, index) => (matches(target) ? [index] : []));
  return {
    emails: all((target) => target === 'email'),
    name: find('name'),
    firstName: find('firstName'),
    lastName: find('lastName'),
    source: find('source'),
    date: find('date'),
    notes: find('notes'),
    basis: find('basis'),
    basisSource: find('basisSource'),
    basisDate: find('basisDate'),
    extras: all((target) => target.startsWith('extra:')).map((index) => ({
      index,
      name: (targets[index] as string).slice('extra:'.length),
    })),
    wanted: all((target) => target !== 'skip' && target !== optOutTarget),
  };
}
