import type { StoredContact } from '#features/contacts/rules.ts';
/** What a merge may take from one contact into another. */
export type MergeableFields = Pick<StoredContact, 'name' | 'source' | 'date' | 'notes' | 'attributes'>;

/** The id of the contact that each field is taken from. */
export type FieldChoice = Partial<Record<'name' | 'source' | 'date' | 'notes', number | undefined>>;

/**
 * The fields of a merged contact: the chosen one, else the kept contact's own, else the first that
 * any other contact has. Attributes are combined, and the kept contact's win.
 */
export function mergedFields(
  kept: MergeableFields & { id: number },
  others: readonly (MergeableFields & { id: number })[],
  choice: FieldChoice,
): MergeableFields {
  const all = [kept, ...others];
  const field = (name: 'name' | 'source' | 'date' | 'notes'): string | null => {
    const chosen = all.find(({ id }) => id === choice[name]);
    return chosen
      ? chosen[name]
      : (all.map((one) => one[name]).find((text) => text !== null && text !== '') ?? null);
  };
  const attributes = Object.assign({}, ...all.toReversed().map((one) => one.attributes ?? {}));
  return {
    name: field('name'),
    source: field('source'),
    date: field('date'),
    notes: field('notes'),
    attributes: Object.keys(attributes).length > 0 ? attributes : null,
  };
}

/**
 * Which of several contacts of one person to keep: the one with the most known about it, then the
 * oldest.
 */
export function bestToKeep<T extends MergeableFields & { id: number; state: number }>(
  contacts: readonly T[],
): T | undefined {
  const known = ({ name, source, date, notes, attributes, state }: T) =>
    [name, source, date, notes].filter(Boolean).length +
    Object.keys(attributes ?? {}).length +
    (state === 0 ? 10 : 0);
  return [...contacts].sort((one, other) => known(other) - known(one) || one.id - other.id)[0];
}
