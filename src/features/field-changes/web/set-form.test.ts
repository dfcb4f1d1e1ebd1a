import { describe, expect, it } from 'vitest';
import type { FieldChangePreview, WhatChanges } from '../contract.ts';
import { emptyForm, isNothing, previewWords, type SetForm, submitWords, whatOf } from './set-form.ts';

const known = ['Fax', 'town'];

it.each<[Partial<SetForm>, WhatChanges | null]>([
  [{}, { set: { firstName: null } }],
  [{ value: 'Jane' }, { set: { firstName: 'Jane' } }],
  [{ field: 'notes', value: ' \n' }, { set: { notes: null } }],
  [
    { field: 'notes', value: 'two\nlines', onlyEmpty: true },
    { set: { notes: 'two\nlines' }, onlyEmpty: true },
  ],
  [{ value: '', onlyEmpty: true }, null],
  [{ field: 'extra', value: 'x' }, null],
  [{ field: 'extra', name: ' ', value: 'x' }, null],
  [{ field: 'extra', name: ' Phone ', value: 'x' }, { set: { attributes: { phone: 'x' } } }],
  [{ field: 'extra', name: 'Fax', value: 'x' }, { set: { attributes: { Fax: 'x' } } }],
  [{ field: 'extra', name: 'town' }, { set: { attributes: { town: null } } }],
  [{ field: 'split', value: 'left over', onlyEmpty: true }, { splitNames: true }],
])('%j is the change %j', (form, what) => {
  expect(whatOf({ ...emptyForm, ...form }, known)).toEqual(what);
});

const exact = { contactsIsEstimate: false, filledIsEstimate: false };

it.each<[Partial<FieldChangePreview> | undefined, boolean, string]>([
  [undefined, false, 'Counting…'],
  [{ contacts: 0 }, true, 'Nothing to do'],
  [{ contacts: 1204 }, false, 'Set first name of 1,204 contacts'],
  [{ contacts: 1_204_331, contactsIsEstimate: true }, false, 'Set first name of about 1,204,000 contacts'],
  [{ contacts: 0, contactsIsEstimate: true }, false, 'Set first name of few contacts'],
])('the button for %j', (given, nothing, words) => {
  const what: WhatChanges = { set: { firstName: 'Jane' } };
  const preview = given && { ...exact, contacts: 0, filled: 0, ...given };
  const form = { ...emptyForm, value: 'Jane' };
  expect(submitWords(form, what, preview)).toBe(words);
  expect(preview !== undefined && isNothing(form, preview)).toBe(nothing);
});

it.each<[Partial<SetForm>, Partial<FieldChangePreview>, boolean]>([
  [{ value: '' }, { filled: 0 }, true],
  [{ value: '' }, { filled: 1 }, false],
  [{ value: '' }, { filled: 0, filledIsEstimate: true }, false],
  [{ value: 'Jane' }, { filled: 0 }, false],
  [{ field: 'split' }, { filled: 0 }, false],
])('%j, with %j of three, is nothing to do: %s', (form, given, nothing) => {
  expect(isNothing({ ...emptyForm, ...form }, { ...exact, contacts: 3, filled: 0, ...given })).toBe(nothing);
});

describe('previewWords', () => {
  it.each<[Partial<SetForm>, number, number, string]>([
    [{ value: 'x' }, 1204, 0, 'None of the 1,204 contacts has another value there.'],
    [{ value: 'x' }, 1204, 1, '1 of them has another value there, which is replaced.'],
    [{ value: 'x', onlyEmpty: true }, 1204, 20, '20 of them have another value there, which stays.'],
    [{}, 1204, 20, '20 of them have something there, which is removed.'],
    [{}, 2, 0, 'None of the 2 contacts has anything there.'],
    [{ field: 'split' }, 0, 0, 'None of them has a name without'],
    [{ field: 'split' }, 3, 0, '3 contacts have a name alone.'],
  ])('%j', (form, contacts, filled, words) => {
    expect(previewWords({ ...emptyForm, ...form }, { ...exact, contacts, filled })).toContain(words);
  });

  it.each<[Partial<SetForm>, Partial<FieldChangePreview>, string]>([
    [{ value: 'x' }, { filled: 41_000 }, 'About 41,000 of them have another value there, which is replaced.'],
    [{}, { filled: 41_000 }, 'About 41,000 of them have something there, which is removed.'],
    [{ value: 'x' }, { filled: 0 }, 'Few or none of the 120,044 contacts have another value there.'],
    [{}, { filled: 0 }, 'Few or none of the 120,044 contacts have anything there.'],
    [
      { value: 'x' },
      { contacts: 120_044, contactsIsEstimate: true, filled: 0 },
      'Few or none of the about 120,000 contacts',
    ],
    [
      { field: 'split' },
      { contacts: 30_000, contactsIsEstimate: true },
      'About 30,000 contacts have a name alone.',
    ],
    [{ field: 'split' }, { contacts: 0, contactsIsEstimate: true }, 'Few or none of them have a name alone.'],
  ])('%j of a sample %j', (form, preview, words) => {
    const sampled = { ...exact, contacts: 120_044, filled: 0, filledIsEstimate: true, ...preview };
    expect(previewWords({ ...emptyForm, ...form }, sampled)).toContain(words);
  });
});
