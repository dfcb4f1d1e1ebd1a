import { fullName, type NameParts, partsOfName, type SplitName, splitName, tidyName } from './names.ts';

/** A contact's names: the one it is shown with, and first and last name where known. */
export interface Names extends SplitName {
  name: string | null;
}

export type NamesChange = Partial<Record<keyof Names, string | null | undefined>>;

/** The names of a new contact. What is not given comes from what is. */
export const newNames = (given: NamesChange): Names =>
  changedNames({ name: null, firstName: null, lastName: null }, given);

/**
 * The names after a change. What the change does not mention follows it, as long as both said the
 * same before. A name that says more than first and last name ("Acme Ltd") stays.
 */
export function changedNames(before: Names, change: NamesChange): Names {
  const given = (key: keyof Names) => change[key] !== undefined;
  const after = (key: keyof Names) => (given(key) ? tidyName(change[key]) : before[key]);
  if (given('firstName') || given('lastName')) {
    const from = knownNames(before);
    const split = {
      firstName: given('firstName') ? after('firstName') : from.firstName,
      lastName: given('lastName') ? after('lastName') : from.lastName,
    };
    return { ...split, name: given('name') ? after('name') : followingName(before, split) };
  }
  const name = after('name');
  if (!given('name')) return { name, ...keep(before) };
  return { name, ...(saysTheSame(before) ? splitName(name) : keep(before)) };
}

const keep = ({ firstName, lastName }: SplitName): SplitName => ({ firstName, lastName });

/** First and last name. Where neither is stored, those in the name. */
const knownNames = (names: Names): SplitName =>
  names.firstName === null && names.lastName === null ? splitName(names.name) : keep(names);

/** Whether the name and the other two were made from each other. */
function saysTheSame({ name, firstName, lastName }: Names): boolean {
  const full = fullName(firstName, lastName);
  if (full === null || tidyName(name) === full) return true;
  const said = splitName(name);
  return said.firstName === firstName && said.lastName === lastName;
}

/** The name to show after first and last name changed to `split`. */
function followingName(before: Names, split: SplitName): string | null {
  const full = fullName(split.firstName, split.lastName);
  const name = tidyName(before.name);
  if (name === null || name === fullName(before.firstName, before.lastName)) return full;
  const parts = partsOfName(name);
  const known = knownNames(before);
  if (parts && sameNames(splitName(name), known)) return withNames(parts, split);
  return hasAllWordsOf(full ?? '', name) ? full : name;
}

const sameNames = (one: SplitName, other: SplitName): boolean =>
  one.firstName === other.firstName && one.lastName === other.lastName;

/** The name with other first and last names. Titles, middle names and letters behind stay. */
function withNames({ titles, middle, suffixes }: NameParts, { firstName, lastName }: SplitName) {
  if (firstName === null && lastName === null) return null;
  return tidyName([...titles, firstName, ...middle, lastName, ...suffixes].join(' '));
}

function hasAllWordsOf(full: string, name: string): boolean {
  const words = full.toLowerCase().split(' ');
  return name
    .toLowerCase()
    .split(' ')
    .every((word) => words.includes(word));
}
