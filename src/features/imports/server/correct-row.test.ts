import Papa from 'papaparse';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
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

async function call(method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, who = person) {
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

it('adds nobody whose row only the receipt has, or whose row is too long to read, against the file', async () => {
  const note = 'n'.repeat(70_000);
  const row = (name: string, cells: string) => `${name}@@acme.co.uk,${cells}`;
  const many = Array.from({ length: 200 }, (_, at) => row(`row${at}`, ',,'));
  const file = [
    'email,notes,unsubscribed,source',
    row('long', `${'n'.repeat(1_100_000)},yes,`),
    ...many,
    row('jane', `${note},yes,`),
    row('ann', `said "no" ${note},no,Fair`),
    row('last', `${'n'.repeat(1_100_000)},yes,`),
  ].join('\n');
  const reading = { columns: ['email', 'extra:note', 'doNotMail', 'source'] };
  id = (await importCsv(product.app, person.cookie, file, { reading })).json().id;
  const ofLine = async (line: number) =>
    (await call('GET', `/api/imports/${id}/rejected?line=${line}`)).body.items;
  for (const line of [2, 203, 205]) {
    expect(await ofLine(line)).toMatchObject([{ fate: 'invalid', canBeCorrected: false }]);
    expect((await correct({ line, email: 'new@acme.co.uk' })).status).toBe(404);
  }
  expect(await ofLine(204)).toMatchObject([{ canBeCorrected: true, suggestion: 'ann@acme.co.uk' }]);
  const { status, body } = await correct({ line: 204, email: 'ann@acme.co.uk' });
  expect(status, JSON.stringify(body)).toBe(200);
  const contact = (await call('GET', `/api/emails/${body.corrected.contactId}`)).body;
  expect(contact).toMatchObject({ source: 'Fair' });
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
  expect((await call('POST', `/api/imports/${id}/undo`)).status).toBe(200);
  expect((await correct({ line: 3, email: 'ann@gmail.com' })).status).toBe(409);
});

it('undoing the import takes back what was corrected, unless somebody changed it since', async () => {
  const { contactId } = (await correct({ line: 2, email: 'jo.smith@gmail.com' })).body.corrected;
  const other = (await correct({ line: 3, email: 'ann@gmail.com' })).body.corrected;
  expect((await call('POST', '/api/emails', { email: 'own@acme.co.uk' })).status).toBe(201);
  const changed = await call('PATCH', `/api/emails/${other.contactId}`, { notes: 'Met again' });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  const { removed, removalId } = (await call('POST', `/api/imports/${id}/undo`)).body;
  expect(removed).toBe(3);
  const rowsOf = async () =>
    (await rejected()).flatMap(({ line, corrected }: { line: number; corrected: { isRemoved: boolean } }) =>
      corrected ? [[line, corrected.isRemoved]] : [],
    );
  const told = async () =>
    (await receipt())
      .filter(({ fate }) => fate === 'corrected')
      .map(({ reason }) => /removed since$/.test(reason));
  expect(await rowsOf()).toEqual([
    [2, true],
    [3, false],
  ]);
  expect(await told()).toEqual([true, false]);
  const left = (await call('GET', '/api/emails')).body.emails;
  expect(left.map(({ address }: { address: string }) => address).sort()).toEqual([
    'ann@gmail.com',
    'own@acme.co.uk',
  ]);
  await call('POST', `/api/removals/${removalId}/restore`);
  expect(await rowsOf()).toContainEqual([2, false]);
  expect((await call('GET', `/api/emails/${contactId}`)).status).toBe(200);
});

describe('a row far down the receipt', () => {
  const long = 'x'.repeat(9_000);
  // More rows than the record keeps, and a few of each kind below them.
  const many = [
    'email;first name;notes;town;basis;consent source;unsubscribed',
    ...Array.from({ length: 250 }, (_, n) => `p${n}@@acme.co.uk;P;;York;;;`),
    `jo@@acme.co.uk;Jo;"say ""hi""; twice";${long};soft opt-in;Fair;`,
    'ann@acme.co.uk / bob@@acme.co.uk / cat@;Two;;;;;',
    '=1+1@@acme.co.uk;Eve;;;consent;;',
    'fay@@acme.co.uk;Fay;;;;;yes',
    'gus@acme.co.uk;Gus;;;;;',
    'gus@acme.co.uk;Again;;;;;',
    'hal@@acme.co.uk;Hal;;;;;',
  ].join('\n');
  const first = 252;
  const columns = ['email', 'firstName', 'notes', 'extra:town', 'basis', 'basisSource', 'doNotMail'];
  const made = async (url: string, payload: object) => (await call('POST', url, payload)).body;
  let list: number;
  let tag: number;

  beforeEach(async () => {
    list = (await made('/api/lists', { name: 'Spring' })).id;
    tag = (await made('/api/tags', { name: 'Met' })).id;
    const options = { listId: list, tagIds: [tag], basis: { basis: 'consent', source: 'Form' } };
    const answer = await importCsv(product.app, person.cookie, many, { options, reading: { columns } });
    expect(answer.statusCode, answer.body).toBe(200);
    id = answer.json().id;
  });
  const ofLine = async (line: number) => (await call('GET', `/api/imports/${id}/rejected?line=${line}`)).body;
  const addressesOf = async (filter: string) =>
    (await call('GET', `/api/emails?${filter}`)).body.emails.map(
      ({ address }: { address: string }) => address,
    );
  const basisOf = async (contactId: number) => {
    const { marketing } = (await call('GET', `/api/emails/${contactId}`)).body;
    return marketing;
  };

  it('is found by its line, with what may be corrected in it', async () => {
    expect(await ofLine(first)).toMatchObject({
      totalCount: 1,
      items: [{ line: first, part: 0, fate: 'invalid', canBeCorrected: true, suggestion: 'jo@acme.co.uk' }],
    });
    const { items } = await ofLine(first + 1);
    expect(items.map(({ part, fate }: Record<string, unknown>) => `${part} ${fate}`)).toEqual([
      '1 invalid',
      '2 invalid',
    ]);
    expect((await ofLine(first + 3)).items[0]).toMatchObject({ canBeCorrected: false });
    expect((await ofLine(first + 5)).items[0]).toMatchObject({ fate: 'duplicate', canBeCorrected: false });
    expect((await ofLine(2)).items).toHaveLength(1);
    expect((await ofLine(first + 4)).items).toEqual([]);
  });

  it('becomes a contact with all that the import would have given it', async () => {
    const { status, body } = await correct({ line: first, email: 'jo@acme.co.uk' });
    expect(status, JSON.stringify(body)).toBe(200);
    const contact = (await call('GET', `/api/emails/${body.corrected.contactId}`)).body;
    expect(contact).toMatchObject({ firstName: 'Jo', notes: 'say "hi"; twice', attributes: { town: long } });
    expect(contact.marketing).toMatchObject({ basis: 'soft_opt_in', source: 'Fair' });
    expect((await addressesOf(`list=${list}`)).sort()).toEqual(
      ['ann', 'gus', 'jo'].map((name) => `${name}@acme.co.uk`),
    );
    expect(await addressesOf(`tag=${tag}`)).toContain('jo@acme.co.uk');
    // The row tells of it wherever it is shown.
    expect((await ofLine(first)).items).toMatchObject([{ corrected: { email: 'jo@acme.co.uk' } }]);
    expect((await receipt()).filter(({ line }) => line === String(first))).toHaveLength(2);
    expect((await correct({ line: first, email: 'jo.smith@acme.co.uk' })).status).toBe(409);
    const { workspaceId } = person;
    expect(await product.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
  });

  it('gets the basis of the file where it says none, and each of several addresses its own row', async () => {
    const { body } = await correct({ line: first + 1, part: 2, email: 'cat@acme.co.uk' });
    expect(await basisOf(body.corrected.contactId)).toMatchObject({ basis: 'consent', source: 'Form' });
    expect((await correct({ line: first + 1, part: 1, email: 'bo@acme.co.uk' })).status).toBe(200);
    expect((await correct({ line: first + 1, part: 0, email: 'zoe@acme.co.uk' })).status).toBe(404);
    const formula = await correct({ line: first + 2, email: 'eve@acme.co.uk' });
    expect(formula.status, JSON.stringify(formula.body)).toBe(200);
    // A row that names the basis of the file takes its source too.
    expect(await basisOf(formula.body.corrected.contactId)).toMatchObject({
      basis: 'consent',
      source: 'Form',
    });
  });

  it('is refused where the file says not to mail, where it was no slip, and where there is none', async () => {
    for (const line of [first + 3, first + 4, first + 5, first + 7, 1])
      expect((await correct({ line, email: 'new@acme.co.uk' })).status).toBe(404);
  });

  it('joins no list that was deleted since', async () => {
    await product.app.inject({
      method: 'DELETE',
      url: `/api/lists/${list}`,
      headers: { cookie: person.cookie },
    });
    expect((await correct({ line: first + 6, email: 'hal@acme.co.uk' })).status).toBe(200);
    expect(await addressesOf(`tag=${tag}`)).toContain('hal@acme.co.uk');
  });

  it('goes to the bin with the import, which has a list and tags', async () => {
    await correct({ line: first, email: 'jo@acme.co.uk' });
    const undone = await call('POST', `/api/imports/${id}/undo`);
    expect(undone.body, JSON.stringify(undone.body)).toMatchObject({ removed: 3, takenOut: [] });
    expect(await addressesOf('search=jo@')).toEqual([]);
    expect((await ofLine(first)).items).toMatchObject([{ corrected: { isRemoved: true } }]);
    const { workspaceId } = person;
    expect(await product.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
  });

  it('two that are corrected at once are both kept', async () => {
    // One waits for the other, and is told to try again where that takes longer than a second.
    const correctInTime = (row: Parameters<typeof correct>[0]) =>
      vi.waitFor(async () => expect((await correct(row)).status).toBe(200), { timeout: 30_000 });
    await Promise.all([
      correctInTime({ line: first, email: 'jo@acme.co.uk' }),
      correctInTime({ line: first + 6, email: 'hal@acme.co.uk' }),
    ]);
    const done = (await receipt()).filter(({ fate }) => fate === 'corrected');
    expect(done.map(({ line }) => Number(line))).toEqual([first, first + 6]);
  });
});
