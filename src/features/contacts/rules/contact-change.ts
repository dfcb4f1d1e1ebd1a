import { changedNames, type Names, type NamesChange } from './changed-names.ts';

/** What people may change about a contact, besides its address. */
export interface ContactFields extends Names {
  notes: string | null;
  /** The extra fields. */
  attributes: Readonly<Record<string, string>>;
}

/** The fields of a contact that are stored with it. */
export interface StoredFields extends ContactFields {
  source: string | null;
  date: string | null;
}

/** The same while nobody else can change them. */
export interface LockedFields extends StoredFields {
  id: number;
  /** As PostgreSQL writes it, which is more exact than a `Date`. */
  changedAt: string | null;
}

/** The fields to store. Without `changedAt`, they count as changed now. */
export interface NewFields extends StoredFields {
  changedAt?: string | null;
}

/** What a change names. What it leaves out stays, and null clears. */
export interface ContactChange extends NamesChange {
  notes?: string | null | undefined;
  attributes?: Readonly<Record<string, string | null>> | undefined;
}

const nameFields = ['name', 'firstName', 'lastName'] as const;
const ownFields = [...nameFields, 'notes'] as const;

/** More extra fields than a file may bring, and than anybody could read. */
export const mostAttributes = 200;
/** As much as an import keeps of a cell. */
export const longestValue = 10_000;
export const longestAttributeName = 100;
export const longestName = 500;
/** The most characters of a first or last name. */
export const longestPartOfName = 200;

/** Names that an extra field cannot have: exports have columns of these names. */
export const reservedNames: ReadonlySet<string> = new Set([
  'email',
  'name',
  'first_name',
  'last_name',
  'source',
  'date',
  'notes',
  'status',
  'created',
]);

/** The fields after a change. */
export function changedFields(before: ContactFields, change: ContactChange): ContactFields {
  const attributes = new Map(Object.entries(before.attributes));
  for (const [name, value] of Object.entries(change.attributes ?? {})) {
    if (value) attributes.set(name, value);
    else attributes.delete(name);
  }
  return {
    ...changedNames(before, change),
    notes: change.notes === undefined ? before.notes : change.notes || null,
    attributes: Object.fromEntries(attributes),
  };
}

/** What differs: `firstName`, and `attributes.phone` for an extra field. */
export function fieldsThatDiffer(before: ContactFields, after: ContactFields): string[] {
  const names = new Set([...Object.keys(before.attributes), ...Object.keys(after.attributes)]);
  return [
    ...ownFields.filter((field) => before[field] !== after[field]),
    ...[...names]
      .filter((name) => valueIn(before, name) !== valueIn(after, name))
      .sort()
      .map((name) => `attributes.${name}`),
  ];
}

const valueIn = ({ attributes }: ContactFields, name: string): string | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;

/**
 * Which fields are not as whoever makes a change last saw them. What they do not name is not asked.
 */
export function fieldsNotAs(fields: ContactFields, seen: ContactChange): string[] {
  const { attributes } = changedFields(fields, { attributes: seen.attributes });
  const own = ownFields.map((field) => [
    field,
    seen[field] === undefined ? fields[field] : seen[field] || null,
  ]);
  return fieldsThatDiffer(fields, { ...fields, ...Object.fromEntries(own), attributes });
}

/** The change that takes a change back, as long as nobody has changed the same fields since. */
export function takenBack(
  before: ContactFields,
  after: ContactFields,
): ContactChange & { expected: ContactChange } {
  const fields = fieldsThatDiffer(before, after);
  // All three names, because one that is left out would follow the others.
  const isNamed = nameFields.some((field) => fields.includes(field));
  const own = ownFields.filter((field) => (field === 'notes' ? fields.includes(field) : isNamed));
  const extra = fields.flatMap((field) =>
    field.startsWith('attributes.') ? [field.slice('attributes.'.length)] : [],
  );
  const only = (from: ContactFields): ContactChange => ({
    ...Object.fromEntries(own.map((field) => [field, from[field]])),
    ...(extra.length > 0
      ? { attributes: Object.fromEntries(extra.map((name) => [name, valueIn(from, name) ?? null])) }
      : {}),
  });
  return { ...only(before), expected: only(after) };
}

/**
 * The contact as it would be `after` a change without that change. `seen` was read some time before
 * it: others may have changed since what it does not name, which then stands as it is.
 */
export function withoutChange(
  seen: ContactFields,
  change: ContactChange,
  after: ContactFields,
): ContactFields {
  const alone = changedNames(seen, change);
  // What follows a name goes back with it, unless others have changed the names as well.
  const isAlone = nameFields.every((field) => alone[field] === after[field]);
  const follows = isAlone && nameFields.some((field) => change[field] !== undefined);
  const own = ownFields.filter((field) => change[field] !== undefined || (follows && field !== 'notes'));
  return changedFields(after, {
    ...Object.fromEntries(own.map((field) => [field, seen[field]])),
    attributes: Object.fromEntries(
      Object.keys(change.attributes ?? {}).map((name) => [name, valueIn(seen, name) ?? null]),
    ),
  });
}

/**
 * Why these extra fields cannot be stored, in words. Null when they can. What was there may stay.
 */
export function attributesProblem(before: ContactFields, after: ContactFields): string | null {
  const names = Object.keys(after.attributes);
  for (const name of names.filter((one) => !Object.hasOwn(before.attributes, one))) {
    const plain = name.toLowerCase();
    if (name.trim() !== name || name === '') return `The name “${name}” begins or ends with a blank.`;
    if (reservedNames.has(plain)) return `“${name}” cannot be an extra field, because every contact has it.`;
    const same = names.find((other) => other !== name && other.toLowerCase() === plain);
    if (same !== undefined) return `There is an extra field “${same}” already.`;
  }
  if (names.length > mostAttributes && names.length > Object.keys(before.attributes).length)
    return `A contact has at most ${mostAttributes} extra fields.`;
  return null;
}

const fieldWords: Readonly<Record<string, string>> = {
  name: 'name',
  firstName: 'first name',
  lastName: 'last name',
  notes: 'notes',
};

/** "first name, notes, phone". The name is not mentioned where it only followed. */
export function fieldsInWords(fields: readonly string[]): string {
  const follows = fields.some((field) => field === 'firstName' || field === 'lastName');
  return fields
    .filter((field) => !(follows && field === 'name'))
    .map((field) => fieldWords[field] ?? field.replace(/^attributes\./, ''))
    .join(', ');
}
