import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeIssues, fieldLabel } from './validation-messages.ts';

const selection = z.union([
  z.strictObject({ ids: z.array(z.number().int().positive()).min(1).max(1000) }),
  z.strictObject({ filter: z.strictObject({ search: z.string().max(320).optional() }) }),
]);
const body = z.strictObject({
  email: z.string().min(1).max(5).optional(),
  batchSize: z.number().int().min(1).max(1000).optional(),
  format: z.enum(['csv', 'json']).optional(),
  day: z.iso.date().optional(),
  sure: z.boolean().optional(),
  own: z.string().regex(/^x/, { error: 'Begin it with an x.' }).optional(),
});

describe('what is wrong is said in a plain sentence that names the field', () => {
  it.each([
    [selection, { ids: [] }, { ids: 'Ids must have at least one entry.' }],
    [selection, { ids: [1, 'two'] }, { 'ids.1': 'Item 2 of ids must be a number.' }],
    [selection, { filter: { serch: 'a' } }, { filter: 'Filter does not take “serch”.' }],
    [body, { email: '' }, { email: 'Email must not be empty.' }],
    [body, { email: 'abcdef' }, { email: 'Email must have at most 5 characters.' }],
    [body, { batchSize: 0 }, { batchSize: 'Batch size must be 1 or more.' }],
    [body, { batchSize: 5000 }, { batchSize: 'Batch size must be 1,000 or less.' }],
    [body, { batchSize: 1.5 }, { batchSize: 'Batch size must be a whole number.' }],
    [body, { batchSize: '5' }, { batchSize: 'Batch size must be a number.' }],
    [body, { format: 'pdf' }, { format: 'Format must be “csv” or “json”.' }],
    [body, { day: '9 March' }, { day: 'Day must be a date such as 2026-03-09.' }],
    [body, { sure: 'yes' }, { sure: 'Sure must be true or false.' }],
    [body, { own: 'y' }, { own: 'Begin it with an x.' }],
    [body, { surprise: 1 }, { body: 'The body does not take “surprise”.' }],
    [body, [], { body: 'The body must be an object.' }],
    [z.object({ email: z.string() }), {}, { email: 'Email is missing.' }],
    [z.object({ at: z.number().gt(3) }), { at: 3 }, { at: 'At must be more than 3.' }],
  ])('%#', (schema, value, expected) => {
    expect(describeIssues(schema, value, 'body')).toEqual(expected);
  });
});

it('finds nothing wrong with what is right', () => {
  expect(describeIssues(selection, { filter: {} }, 'body')).toEqual({});
});

it('keeps abbreviations in the names of fields', () => {
  expect(fieldLabel(['emailValidation', 'checkMXRecords'], 'body')).toBe('Check MX records');
});
