import type { StoredContact } from '#features/contacts/rules.ts';
/** What a merge may take from one contact into another. */
export type MergeableFields = Pick<
  StoredContact,
  'name' | 'firstName' | 'lastName' | 'source' | 'date' | 'notes' | 'attributes'
>;

/** The id of the contact that each field is taken from. */
export type FieldChoice = Partial<Record<'name' | 'source' | 'date' | 'notes', number | undefined>>;

/**
 * The fields of a merged contact: the chosen one, else the kept contact's own, else the first that
 * any other contact has. The three names go together: a first name of one person and the last name
 * of another would be nobody's. Attributes are combined, and the kept contact's win.
 */
export function mergedFields(
  kept: MergeableFields & { id: number },
  others: readonly (MergeableFields & { id: number })[],
  choice: FieldChoice,
): MergeableFields {
  const all = [kept, ...others];
  const field = (name: 'source' | 'date' | 'notes'): string | null => {
    const chosen = all.find(({ id }) => id === choice[name]);
    return chosen
      ? chosen[name]
      : (all.map((one) => one[name]).find((text) => text !== null && text !== '') ?? null);
  };
  const attributes = Object.assign({}, ...all.toReversed().map((one) => one.attributes ?? {}));
  return {
    ...mergedNames(all, choice.name),
    source: field('source'),
    date: field('date'),
    notes: field('notes'),
    attributes: Object.keys(attributes).length > 0 ? attributes : null,
  };
}

type Named = Pick<StoredContact, 'name' | 'firstName' | 'lastName'>;

const hasName = ({ name, firstName, lastName }: Named): boolean => Boolean(name || firstName || lastName);
const isSplit = ({ firstName, lastName }: Named): boolean => Boolean(firstName || lastName);

/** The names of one of the contacts, with first and last name from another of the same name. */
function mergedNames(all: readonly (Named & { id: number })[], choice: number | undefined): Named {
  const from = all.find(({ id }) => id === choice) ?? all.find(hasName);
  if (!from) return { name: null, firstName: null, lastName: null };
  const written = from.name?.toLowerCase();
  const split = isSplit(from)
    ? from
    : (all.find((one) => isSplit(one) && one.name?.toLowerCase() === written) ?? from);
  return { name: from.name, firstName: split.firstName, lastName: split.lastName };
}

/**
 * Which of several contacts of one person to keep: the one with the most known about it, then the
 * oldest.
 */
export function bestToKeep<T extends MergeableFields & { id: number; state: number }>(
  contacts: readonly T[],
): T | undefined {
  const known = ({ name, firstName, lastName, source, date, notes, attributes, state }: T) =>
    [name, firstName, lastName, source, date, notes].filter(Boolean).length +
    Object.keys(attributes ?? {}).length +
    (state === 0 ? 10 : 0);
  return [...contacts].sort((one, other) => known(other) - known(one) || one.id - other.id)[0];
}
