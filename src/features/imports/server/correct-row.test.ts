import Papa from 'papaparse';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';

let product: TestApp;
let person: SignedIn;
let id: number;

const csv = [
  'email,first name,last name,source,notes',
  'jo@gmail,Jo,Smith,Fair,met in York',
  'ann@gmial.com,Ann,,,',
  'bob@acme.co.uk,Bob,,,',
  'bob@acme.co.uk,Bob again,,,',
  'zoe@acme.co.uk; kim@,Kim,,,',
].join('\n');

beforeAll(async () => {
  product = await openTestApp();
});
afterAll(() => product.close());
beforeEach(async () => {
  person = await signUp(product.app, { name: 'Priya Shah' });
  const reading = { columns: ['email', 'firstName', 'lastName', 'source', 'extra:met'] };
  const answer = await importCsv(product.app, person.cookie, csv, { reading });
  expect(answer.statusCode, answer.body).toBe(200);
  id = answer.json().id;
});

async function call(method: 'GET' | 'POST', url: string, payload?: object, who = person) {
  const answer = await product.app.inject({
    method,
    url,
    headers: { cookie: who.cookie },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const correct = (payload: object, who = person) =>
  call('POST', `/api/imports/${id}/rejected/correct`, payload, who);
const rejected = async () => (await call('GET', `/api/imports/${id}/rejected`)).body.items;
const receipt = async () => {
  const answer = await product.app.inject({
    url: `/api/imports/${id}/receipt`,
    headers: { cookie: person.cookie },
  });
  return Papa.parse<{ line: string; fate: string; reason: string }>(answer.body.trim(), { header: true })
    .data;
};

it('adds nobody whom the file itself says not to mail', async () => {
  const file = [
    'email,unsubscribed,town',
    'jane@@acme.co.uk,yes,Leeds',
    'ann@@acme.co.uk,no,York',
    'bob@acme.co.uk,yes,Ely',
  ].join('\n');
  id = (await importCsv(product.app, person.cookie, file)).json().id;
  const rows = await rejected();
  expect(
    rows.map(({ line, fate, canBeCorrected }: Record<string, unknown>) => [line, fate, canBeCorrected]),
  ).toEqual([
    [2, 'invalid', false],
    [3, 'invalid', true],
    [4, 'suppressed', false],
  ]);
  expect((await correct({ line: 2, email: 'jane@acme.co.uk' })).status).toBe(404);
  expect((await correct({ line: 3, email: 'ann@acme.co.uk' })).status).toBe(200);
  expect((await call('GET', '/api/emails?search=jane@')).body.totalCount).toBe(0);
});

it('adds the contact with the other cells of the row, and keeps that with the row and the receipt', async () => {
  const before = await rejected();
  expect(before.find(({ line }: { line: number }) => line === 2)).toMatchObject({
    fate: 'invalid',
    corrected: null,
    canBeCorrected: true,
    suggestion: 'jo@gmail.com',
  });
  const { status, body } = await correct({ line: 2, email: ' Jo@gmail.com ' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    line: 2,
    fate: 'invalid',
    canBeCorrected: false,
    corrected: { email: 'Jo@gmail.com', by: 'Priya Shah', at: expect.stringMatching(/^\d{4}-/) },
  });
  expect(body).not.toHaveProperty('values');
  const contact = (await call('GET', `/api/emails/${body.corrected.contactId}`)).body;
  expect(contact).toMatchObject({
    address: 'Jo@gmail.com',
    firstName: 'Jo',
    lastName: 'Smith',
    name: 'Jo Smith',
    source: 'Fair',
    attributes: { met: 'met in York' },
    status: 'active',
  });
  expect((await rejected()).find(({ line }: { line: number }) => line === 2)).toEqual(body);
  const lines = await receipt();
  expect(lines.filter(({ line }) => line === '2')).toMatchObject([
    { fate: 'invalid' },
    { fate: 'corrected', reason: expect.stringMatching(/^Imported as Jo@gmail\.com by Priya Shah on \d/) },
  ]);
  const audit = (await call('GET', '/api/audit')).body.items;
  expect(audit.map(({ action }: { action: string }) => action)).toContain('import.corrected');
  expect(
    await product.database.asTenant(person.workspaceId, (tx) => checkBooks(tx, person.workspaceId)),
  ).toEqual([]);
});

it('corrects what only the UK filter left out, and one of several addresses of a line', async () => {
  expect((await correct({ line: 3, email: 'ann@gmail.com' })).status).toBe(200);
  expect((await correct({ line: 6, part: 1, email: 'kim@acme.co.uk' })).body).toMatchObject({
    line: 6,
    part: 1,
  });
  expect((await rejected()).filter(({ corrected }: { corrected: unknown }) => corrected)).toHaveLength(2);
});

it('refuses what is none, exists, is suppressed, or was done, and changes nothing then', async () => {
  expect(await correct({ line: 2, email: 'jo@' })).toMatchObject({
    status: 400,
    body: { fields: { email: expect.any(String) } },
  });
  expect(await correct({ line: 2, email: 'bob@acme.co.uk' })).toMatchObject({
    status: 409,
    body: { code: 'already_exists' },
  });
  await call('POST', '/api/suppressions/email/manual', { email: 'jo@gmail.com' });
  expect(await correct({ line: 2, email: 'jo@gmail.com' })).toMatchObject({ status: 409 });
  expect((await correct({ line: 5, email: 'eve@acme.co.uk' })).status).toBe(404);
  expect((await correct({ line: 4, email: 'eve@acme.co.uk' })).status).toBe(404);
  expect((await correct({ line: 99, email: 'eve@acme.co.uk' })).status).toBe(404);
  expect((await rejected()).every(({ corrected }: { corrected: unknown }) => corrected === null)).toBe(true);
  const both = await Promise.all([
    correct({ line: 2, email: 'jo.smith@gmail.com' }),
    correct({ line: 2, email: 'jo.brown@gmail.com' }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await call('GET', '/api/emails')).body.totalCount).toBe(3);
});

it('is for editors of the workspace, and only until the import is undone', async () => {
  const viewer = await signUpMember(product.app, product.database, {
    workspaceId: person.workspaceId,
    role: 'viewer',
  });
  expect((await correct({ line: 2, email: 'jo.smith@gmail.com' }, viewer)).status).toBe(403);
  const stranger = await signUp(product.app);
  expect((await correct({ line: 2, email: 'jo.smith@gmail.com' }, stranger)).status).toBe(404);
  // What was corrected is somebody's own addition, and stays.
  await correct({ line: 2, email: 'jo.smith@gmail.com' });
  expect((await call('POST', `/api/imports/${id}/undo`)).body.removed).toBe(2);
  expect((await call('GET', '/api/emails')).body.totalCount).toBe(1);
  expect((await correct({ line: 3, email: 'ann@gmail.com' })).status).toBe(409);
});
