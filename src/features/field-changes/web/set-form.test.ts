import { describe, expect, it } from 'vitest';
import type { WhatChanges } from '../contract.ts';
import { emptyForm, previewWords, type SetForm, whatOf } from './set-form.ts';

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
    expect(previewWords({ ...emptyForm, ...form }, { contacts, filled })).toContain(words);
  });
});
