import { formatCount } from '#platform/shared/words.ts';
import type { WhatChanges } from '../contract.ts';

/** What a person has chosen in the dialog. */
export interface SetForm {
  field: 'firstName' | 'lastName' | 'notes' | 'extra' | 'split';
  /** The name of the extra field. */
  name: string;
  value: string;
  onlyEmpty: boolean;
}

export const emptyForm: SetForm = { field: 'firstName', name: '', value: '', onlyEmpty: false };

export const fieldLabels: Record<SetForm['field'], string> = {
  firstName: 'First name',
  lastName: 'Last name',
  notes: 'Notes',
  extra: 'An extra field',
  split: 'First and last name, from the name',
};

/** The change that the form describes. Null while it is not complete. */
export function whatOf(
  { field, name, value, onlyEmpty }: SetForm,
  known: readonly string[],
): WhatChanges | null {
  if (field === 'split') return { splitNames: true };
  // As an import writes the names of columns, so that both are one field.
  const extra = known.includes(name.trim()) ? name.trim() : name.trim().toLowerCase();
  if (field === 'extra' && extra === '') return null;
  // Nothing can only be put where something is.
  if (onlyEmpty && value.trim() === '') return null;
  const given = value.trim() === '' ? null : value;
  return {
    set: field === 'extra' ? { attributes: { [extra]: given } } : { [field]: given },
    ...(onlyEmpty ? { onlyEmpty } : {}),
  };
}

/** What will happen, in words, once it was counted. */
export function previewWords(
  { field, value, onlyEmpty }: SetForm,
  { contacts, filled }: { contacts: number; filled: number },
): string {
  const many = formatCount(contacts, 'contact');
  if (field === 'split') {
    return contacts === 0
      ? 'None of them has a name without a first or last name beside it.'
      : `${many} have a name alone. It is read where it is plainly the name of one person; businesses and unclear names stay as they are.`;
  }
  const others = formatCount(filled, 'of them has', 'of them have');
  if (value.trim() === '')
    return filled === 0
      ? `None of the ${many} has anything there.`
      : `${others} something there, which is removed.`;
  if (filled === 0) return `None of the ${many} has another value there.`;
  return onlyEmpty
    ? `${others} another value there, which stays.`
    : `${others} another value there, which is replaced.`;
}
