import {
  attributesProblem,
  type ContactChange,
  type ContactFields,
  changedFields,
  fieldsInWords,
  fieldsNotAs,
  fieldsThatDiffer,
} from '#features/contacts/rules/contact-change.ts';
import { splitName } from '#features/contacts/rules/names.ts';
import { formatCount } from '#platform/shared/words.ts';
import type { WhatChanges } from './contract.ts';

/** Why a change cannot be made, in words. Null when it can. */
export function problemOf({ set, splitNames, onlyEmpty }: WhatChanges): string | null {
  if ((set === undefined) === (splitNames === undefined)) return 'Send either `set` or `splitNames`.';
  if (set === undefined) return onlyEmpty ? '`onlyEmpty` belongs to `set`.' : null;
  if (fieldsOfChange(set).length === 0) return 'Name at least one field to set.';
  const none: ContactFields = { name: null, firstName: null, lastName: null, notes: null, attributes: {} };
  return attributesProblem(none, changedFields(none, set));
}

const nameFields = ['name', 'firstName', 'lastName'] as const;
const ownFields = [...nameFields, 'notes'] as const;

/** The fields that a change names: `firstName`, `attributes.phone`. */
export const fieldsOfChange = (change: ContactChange): string[] => [
  ...ownFields.filter((field) => change[field] !== undefined),
  ...Object.keys(change.attributes ?? {}).map((name) => `attributes.${name}`),
];

/** The fields that are set, for the audit log. */
export const fieldsOfWhat = ({ set, splitNames }: WhatChanges): string[] =>
  splitNames ? ['firstName', 'lastName'] : fieldsOfChange(set ?? {});

/**
 * The fields of a contact after the change. Null leaves it as it is; 'full': it cannot take them.
 */
export function fieldsAfter(before: ContactFields, what: WhatChanges): ContactFields | 'full' | null {
  const changed = changedFields(before, changeFor(before, what));
  const after = what.onlyEmpty ? withoutFollowers(before, changed, what.set ?? {}) : changed;
  if (fieldsThatDiffer(before, after).length === 0) return null;
  return attributesProblem(before, after) === null ? after : 'full';
}

/** Which of the fields that a change sets the contact had as they are `after` it. */
export function alreadySet(before: ContactFields, after: ContactFields, what: WhatChanges): ContactChange {
  // Splitting fills names, and says nothing about those that are there.
  if (what.splitNames) return {};
  const change = changeFor(before, what);
  const differ = fieldsThatDiffer(before, after);
  const { name, firstName, lastName, notes, attributes } = before;
  const isNamed = nameFields.some((field) => change[field] !== undefined);
  const extra = Object.keys(change.attributes ?? {})
    .filter((one) => !differ.includes(`attributes.${one}`))
    .map((one) => [one, Object.hasOwn(attributes, one) ? attributes[one] : null]);
  return {
    ...(isNamed && !nameFields.some((field) => differ.includes(field)) ? { name, firstName, lastName } : {}),
    ...(change.notes !== undefined && !differ.includes('notes') ? { notes } : {}),
    ...(extra.length > 0 ? { attributes: Object.fromEntries(extra) } : {}),
  };
}

/** What only fills empty fields changes no filled one, and fills no other by the way. */
function withoutFollowers(before: ContactFields, after: ContactFields, set: ContactChange): ContactFields {
  const names = nameFields.map((field) => [
    field,
    // A contact without any name is shown with what it gets.
    before[field] ?? (set[field] !== undefined || field === 'name' ? after[field] : null),
  ]);
  return { ...after, ...Object.fromEntries(names) };
}

function changeFor(
  before: ContactFields,
  { set = {}, onlyEmpty = false, splitNames }: WhatChanges,
): ContactChange {
  if (splitNames) {
    if (before.firstName !== null || before.lastName !== null) return {};
    // The name as well, because it would follow the other two.
    return { name: before.name, ...splitName(before.name) };
  }
  const isWanted = (value: string | null | undefined) => !onlyEmpty || !value;
  const own = ownFields.filter((field) => set[field] !== undefined && isWanted(before[field]));
  const attributes = Object.entries(set.attributes ?? {})
    .map(([name, value]) => [nameOn(before, name), value] as const)
    .filter(([name]) => isWanted(before.attributes[name]));
  return {
    ...Object.fromEntries(own.map((field) => [field, set[field]])),
    attributes: Object.fromEntries(attributes),
  };
}

/** The contact's own name for an extra field: files may have written it in capitals. */
function nameOn({ attributes }: ContactFields, name: string): string {
  if (Object.hasOwn(attributes, name)) return name;
  return Object.keys(attributes).find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
}

/** What is kept of a contact that was changed. */
export interface Kept {
  /** The change that puts its fields back. */
  before: ContactChange;
  /** What stood there after the change. */
  after: ContactChange;
}

/**
 * A contact's fields with the old values back. Those that were changed again since stay as they
 * are; the three names go together. Null when nothing is put back.
 */
export function fieldsBack(
  now: ContactFields,
  { before, after }: Kept,
): { fields: ContactFields; isWhole: boolean } | null {
  const others = fieldsNotAs(now, after);
  const isNameTouched = others.some(
    (field) => field === 'name' || field === 'firstName' || field === 'lastName',
  );
  const { notes, attributes = {}, ...names } = before;
  const kept = Object.entries(attributes).filter(([name]) => !others.includes(`attributes.${name}`));
  const fields = changedFields(now, {
    ...(isNameTouched ? {} : names),
    notes: others.includes('notes') ? undefined : notes,
    attributes: Object.fromEntries(kept),
  });
  if (fieldsThatDiffer(now, fields).length === 0) return null;
  return { fields, isWhole: others.length === 0 };
}

/** "Set first name of 1,204 contacts". Whose fields may be given in words. */
export function changeInWords(what: WhatChanges, contacts: number | string): string {
  const many = typeof contacts === 'string' ? contacts : formatCount(contacts, 'contact');
  if (what.splitNames) return `Fill first and last names of ${many}`;
  return `${valuesInWords(what) === '' ? 'Clear' : 'Set'} ${fieldsInWords(fieldsOfChange(what.set ?? {}))} of ${many}`;
}

/** The values that a change sets: "York". Empty when it clears. */
export function valuesInWords({ set = {} }: WhatChanges): string {
  const values = [...ownFields.map((field) => set[field]), ...Object.values(set.attributes ?? {})];
  return values.filter(Boolean).join(', ');
}
