import { capitalise, formatAbout, formatCount } from '#platform/web/format.ts';
import type { FieldChangePreview, WhatChanges } from '../contract.ts';
import { changeInWords } from '../rules.ts';

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

/** What the dialog's button does, in words. */
export function submitWords(form: SetForm, what: WhatChanges | null, preview?: FieldChangePreview): string {
  if (what === null)
    return form.field === 'extra' && form.name.trim() === '' ? 'Name the field' : 'Give a value';
  if (preview === undefined) return 'Counting…';
  if (isNothing(form, preview)) return 'Nothing to do';
  return changeInWords(what, preview.contacts === 0 ? 'few contacts' : contactsOf(preview));
}

/** Nobody would be changed. A sample that found nobody does not say so. */
export function isNothing({ field, value }: SetForm, preview: FieldChangePreview): boolean {
  const { contacts, contactsIsEstimate, filled, filledIsEstimate } = preview;
  const isClearing = field !== 'split' && value.trim() === '';
  return (contacts === 0 && !contactsIsEstimate) || (isClearing && filled === 0 && !filledIsEstimate);
}

const contactsOf = ({ contacts, contactsIsEstimate }: FieldChangePreview): string =>
  contactsIsEstimate ? `${formatAbout(contacts)} contacts` : formatCount(contacts, 'contact');

/** What will happen, in words, once it was counted. */
export function previewWords(form: SetForm, preview: FieldChangePreview): string {
  const { field, value, onlyEmpty } = form;
  const many = contactsOf(preview);
  if (field === 'split') {
    if (isNothing(form, preview)) return 'None of them has a name without a first or last name beside it.';
    const named = preview.contacts === 0 ? 'Few or none of them' : many;
    return `${capitalise(named)} have a name alone. It is read where it is plainly the name of one person; businesses and unclear names stay as they are.`;
  }
  const { filled } = preview;
  const isClearing = value.trim() === '';
  if (filled === 0) {
    const none = preview.filledIsEstimate ? `Few or none of the ${many} have` : `None of the ${many} has`;
    return isClearing ? `${none} anything there.` : `${none} another value there.`;
  }
  const others = othersOf(preview);
  if (isClearing) return `${others} something there, which is removed.`;
  return onlyEmpty
    ? `${others} another value there, which stays.`
    : `${others} another value there, which is replaced.`;
}

const othersOf = ({ filled, filledIsEstimate }: FieldChangePreview): string =>
  filledIsEstimate
    ? `${capitalise(formatAbout(filled))} of them have`
    : formatCount(filled, 'of them has', 'of them have');
