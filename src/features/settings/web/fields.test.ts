import { expect, it } from 'vitest';
import { settings } from '../contract.ts';
import { completeSettings } from '../rules.ts';
import { changeOf, draftOf, fieldErrors, type Section, sections } from './fields.ts';

const sectionOf = (key: string) => sections.find((section) => section.key === key) as Section;

it('there is a field for every setting, and a setting for every field', () => {
  const shown = sections.map(({ key, fields }) => [key, fields.map(({ name }) => name).toSorted()]);
  const kept = Object.entries(settings.shape).map(([key, { shape }]) => [key, Object.keys(shape).toSorted()]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(kept));
});

it('sends numbers as numbers, lists split and trimmed, and only what changed', () => {
  const section = sectionOf('import');
  const before = draftOf(section, completeSettings({}).import);
  expect(before).toMatchObject({ batchSize: '1000', allowedColumns: 'email, name, source, date' });
  const after = { ...before, batchSize: '250', allowedColumns: ' email ,phone,, ' };
  expect(changeOf(section, before, after)).toEqual({
    change: { batchSize: 250, allowedColumns: ['email', 'phone'] },
    errors: {},
  });
  expect(changeOf(section, before, before).change).toEqual({});
});

it('says so of a number that is none, and does not send it', () => {
  const section = sectionOf('retention');
  const before = draftOf(section, completeSettings({}).retention);
  expect(changeOf(section, before, { ...before, binDays: '' })).toEqual({
    change: {},
    errors: { binDays: 'Bin must be a number.' },
  });
});

it('finds the field that the server speaks of', () => {
  const errors = { 'import.batchSize': 'A', 'import.allowedColumns.2': 'B', body: 'C' };
  expect(fieldErrors('import', errors)).toEqual({ batchSize: 'A', allowedColumns: 'B' });
  expect(fieldErrors('export', errors)).toEqual({});
});
