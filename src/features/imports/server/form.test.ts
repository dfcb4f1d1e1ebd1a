import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { formOf, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// What a form with a file may hold, and what is said about the rest.

let product: TestApp;
let person: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
});
beforeEach(async () => {
  person = await signUp(product.app);
});
afterAll(() => product.close());

type Fields = Parameters<typeof formOf>[0];

const file: Fields[number] = ['file', 'email\njo@acme.co.uk\n', 'list.csv'];

async function send(url: string, fields: Fields) {
  const { payload, headers } = formOf(fields);
  const answer = await product.app.inject({
    method: 'POST',
    url,
    headers: { ...headers, cookie: person.cookie },
    payload,
  });
  return { status: answer.statusCode, ...answer.json() };
}
const imports = '/api/emails/import';
const lists = '/api/suppressions/import';

async function nothingImported(): Promise<void> {
  const { rows } = await sql`
    select 1 from contacts where workspace_id = ${person.workspaceId} union all
    select 1 from imports where workspace_id = ${person.workspaceId} and status <> 'failed'`.execute(
    product.owner.system,
  );
  expect(rows).toEqual([]);
}

it.each<[string, Fields, string, Record<string, string>]>([
  [
    'an option of another kind',
    [['options', '{"filterNonUk":"no"}'], file],
    'options: Filter non uk must be true or false.',
    { 'options.filterNonUk': 'Filter non uk must be true or false.' },
  ],
  [
    'an option that there is not',
    [['options', '{"filterNonUK":false}'], file],
    'options: The field does not take “filterNonUK”.',
    { options: 'The field does not take “filterNonUK”.' },
  ],
  [
    'several at once',
    [['options', '{"filterNonUk":1,"removeDuplicates":null}'], file],
    'options: Remove duplicates must be true or false.',
    {
      'options.removeDuplicates': 'Remove duplicates must be true or false.',
      'options.filterNonUk': 'Filter non uk must be true or false.',
    },
  ],
  [
    'a list in place of options',
    [['options', '[]'], file],
    'options: The field must be an object.',
    { options: 'The field must be an object.' },
  ],
  [
    'a way of reading that there is not',
    [['reading', '{"dialect":{"titleLines":-1}}'], file],
    'reading: Title lines must be 0 or more.',
    { 'reading.dialect.titleLines': 'Title lines must be 0 or more.' },
  ],
  ['no JSON', [['options', 'all'], file], 'options: this is not JSON.', { options: 'not JSON' }],
  [
    'the same after the file',
    [file, ['options', '{"filterNonUk":"no"}']],
    'options: Filter non uk must be true or false.',
    { 'options.filterNonUk': 'Filter non uk must be true or false.' },
  ],
  [
    'JSON that is too long',
    [['options', `{"removeDuplicates":true${' '.repeat(70_000)}}`], file],
    'options: this is longer than 64 kB.',
    { options: 'options: this is longer than 64 kB.' },
  ],
  [
    'a field with a slip in its name',
    [['opitons', '{"filterNonUk":false}'], file],
    'This form takes options, reading, dryRun, file, and not “opitons”.',
    { opitons: 'This form takes options, reading, dryRun, file, and not “opitons”.' },
  ],
  [
    'another case',
    [['dryrun', 'true'], file],
    'This form takes options, reading, dryRun, file, and not “dryrun”.',
    { dryrun: 'This form takes options, reading, dryRun, file, and not “dryrun”.' },
  ],
  [
    'a field after the file that nobody would read',
    [file, ['dry_run', 'true']],
    'This form takes options, reading, dryRun, file, and not “dry_run”.',
    { dry_run: 'This form takes options, reading, dryRun, file, and not “dry_run”.' },
  ],
  [
    'options as a file',
    [['options', '{}', 'blob'], file],
    'Send the file in a part called “file”, not “options”.',
    { options: 'Send the file in a part called “file”, not “options”.' },
  ],
  [
    'a file without a name',
    [['file', 'email\njo@acme.co.uk\n']],
    'The part called “file” is no file: it has no file name.',
    { file: 'The part called “file” is no file: it has no file name.' },
  ],
])('an import’s form says what is wrong in plain words: %s', async (_name, fields, message, named) => {
  expect(await send(imports, fields)).toEqual({ status: 400, code: 'invalid_input', message, fields: named });
  await nothingImported();
});

it.each<[string, Fields, string]>([
  [
    'a field with a slip in its name',
    [['reasons', 'bounced'], file],
    'This form takes reason, form, file, and not “reasons”.',
  ],
  ['one after the file', [file, ['dryRun', 'true']], 'This form takes reason, form, file, and not “dryRun”.'],
  [
    'another part with a file',
    [['list', 'email\njo@acme.co.uk\n', 'list.csv']],
    'Send the file in a part called “file”, not “list”.',
  ],
])('a suppression list’s form does too: %s', async (_name, fields, message) => {
  expect(await send(lists, fields)).toMatchObject({ status: 400, code: 'invalid_input', message });
});

const receiptName = async (name: string): Promise<string> => {
  const form = formOf([['file', `email\n${Math.random()}@acme.co.uk\nnot an address\n`, name]]);
  const made = await product.app.inject({
    method: 'POST',
    url: imports,
    headers: { ...form.headers, cookie: person.cookie },
    payload: form.payload,
  });
  const receipt = await product.app.inject({
    url: `/api/imports/${made.json().id}/receipt`,
    headers: { cookie: person.cookie },
  });
  expect([made.statusCode, receipt.statusCode]).toEqual([200, 200]);
  const disposition = String(receipt.headers['content-disposition']);
  const [, encoded = ''] = /filename\*=UTF-8''([\w.!#$&+^`|~%-]+)$/.exec(disposition) ?? [];
  return decodeURIComponent(encoded);
};

it.each([
  ['Gäste 🎉.csv', 'Gäste 🎉-receipt.csv'],
  ["Tom's (new) list*.csv", "Tom's (new) list*-receipt.csv"],
  ['C:\\lists\\今日.csv', '今日-receipt.csv'],
  // The name is cut between its first two characters, never within one.
  [`🎉🎉${'x'.repeat(249)}.csv`, `🎉${'x'.repeat(249)}-receipt.csv`],
  [`🎉${'x'.repeat(250)}.csv`, `${'x'.repeat(250)}-receipt.csv`],
])('a file keeps its name, whatever the characters: %s', async (sent, saved) => {
  expect(await receiptName(sent)).toBe(saved);
});
