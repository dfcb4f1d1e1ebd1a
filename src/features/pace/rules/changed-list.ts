import { AppError } from '#platform/shared/errors.ts';

/** What a call says about a list of the pace. What it does not name stays. */
interface ListChange<Entry> {
  /** All of them, in place of those that are there. */
  all?: readonly Entry[] | undefined;
  /** One that is written. With `isNew` it may not be there yet. */
  one?: (Entry & { isNew?: boolean | undefined }) | undefined;
  /** The name of one that ends, or that is `one` from now on. */
  end?: string | undefined;
}

/** The words and limits of a list. */
export interface ListKind<Entry> {
  /** The field that names an entry. */
  name: keyof Entry & string;
  /** What the call names the list and one of it. */
  fields: { all: string; one: string };
  most: number;
  twice: string;
  full: string;
  /** After the name of an entry. */
  taken: string;
}

/** What has to be written, and the names of those that end. */
export interface ListOutcome<Entry> {
  written: Entry[];
  ended: string[];
}

/**
 * What becomes of a list of the pace. Throws `invalid_input` when a name stands there twice,
 * `already_exists` when a new one or one with a new name would replace another, and `conflict` when
 * there are too many.
 */
export function changedList<Entry extends object>(
  before: readonly Entry[],
  { all, one, end }: ListChange<Entry>,
  { name, fields, most, twice, full, taken }: ListKind<Entry>,
): ListOutcome<Entry> {
  const nameOf = (entry: Entry) => String(entry[name]);
  if (all && new Set(all.map(nameOf)).size < all.length)
    throw new AppError('invalid_input', twice, { fields: { [fields.all]: twice } });
  const left = (all ?? before).filter((entry) => nameOf(entry) !== end);
  const after = one ? [...left.filter((entry) => nameOf(entry) !== nameOf(one)), one] : left;
  const isTaken = one !== undefined && after.length === left.length;
  if (isTaken && (one.isNew || end !== undefined)) {
    const words = `${nameOf(one)} ${taken}`;
    throw new AppError('already_exists', words, { fields: { [`${fields.one}.${name}`]: words } });
  }
  if (after.length > most) throw new AppError('conflict', full);
  const names = new Set(after.map(nameOf));
  return {
    written: all ? after : one ? [one] : [],
    ended: before.map(nameOf).filter((before) => !names.has(before)),
  };
}
