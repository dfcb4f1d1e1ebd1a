import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let test: TestApp;
let me: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
});
beforeEach(async () => {
  me = await signUp(test.app);
});
afterAll(() => test.close());

const fields = async (who: SignedIn) =>
  (await test.app.inject({ url: '/api/emails/fields', headers: { cookie: who.cookie } })).json();

async function bring(csv: string, columns: string[]): Promise<void> {
  const answer = await importCsv(test.app, me.cookie, csv, { reading: { columns } });
  expect(answer.statusCode, answer.body).toBe(200);
}

it('the extra fields are those that imports kept and the settings name, in this workspace alone', async () => {
  expect(await fields(me)).toEqual({ items: [] });
  // No contact has a fax number, but the import was asked to keep it.
  await bring('email,County,Fax\nann@kent.co.uk,Kent,\nbob@kent.co.uk,,\n', [
    'email',
    'extra:county',
    'extra:Fax',
  ]);
  await bring('email,Phone,Shoe\ncyd@kent.co.uk,01622,7\n', ['email', 'extra:phone', 'skip']);
  expect(await fields(me)).toEqual({ items: ['county', 'Fax', 'phone'] });

  const allowed = await test.app.inject({
    method: 'PATCH',
    url: '/api/settings',
    headers: { cookie: me.cookie },
    payload: { import: { allowedColumns: ['email', 'name', 'Branch', 'COUNTY'] } },
  });
  expect(allowed.statusCode).toBe(200);
  expect(await fields(me)).toEqual({ items: ['branch', 'county', 'Fax', 'phone'] });
  expect(await fields(await signUp(test.app))).toEqual({ items: [] });
});

it('the list brings what every column shows', async () => {
  await bring('email,County\nann@kent.co.uk,Kent\n', ['email', 'extra:county']);
  const answer = await test.app.inject({
    url: '/api/emails?search=ann',
    headers: { cookie: me.cookie },
  });
  expect(answer.json().emails[0]).toMatchObject({ domain: 'kent.co.uk', attributes: { county: 'Kent' } });
  expect(answer.json().emails[0].importId).toBeGreaterThan(0);
});

/** Records of imports as earlier versions left them, each with a field of its own. */
const leaveRecords = (count: number, contacts: { first: number; last: number }) =>
  sql`
    insert into imports (workspace_id, file_name, status, options, reading, first_contact_id, last_contact_id)
    select ${me.workspaceId}::bigint, 'old.csv', 'completed', '{}'::jsonb,
      jsonb_build_object('columns', jsonb_build_array('email', 'extra:field ' || lpad(n::text, 3, '0'))),
      ${contacts.first}, ${contacts.last}
    from generate_series(1, ${count}::int) n`.execute(test.owner.system);
const contactsOfMine = async () => {
  const { rows } = await sql<{ first: number; last: number }>`
    select min(id) as first, max(id) as last from contacts where workspace_id = ${me.workspaceId}`.execute(
    test.owner.system,
  );
  return rows[0] as { first: number; last: number };
};

it('a field stays known however many imports come after the one that brought it', async () => {
  await bring('email,Ward\ndee@kent.co.uk,9\n', ['email', 'extra:ward']);
  await leaveRecords(250, await contactsOfMine());
  await bring('email,Bed\neve@kent.co.uk,2\n', ['email', 'extra:bed']);
  const { items } = await fields(me);
  expect(items).toEqual(expect.arrayContaining(['bed', 'ward']));
  const url = '/api/emails/export?format=csv';
  const answer = await test.app.inject({ url, headers: { cookie: me.cookie } });
  expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
  expect(answer.body.split('\r\n')[0]).toContain('ward');
});

it('fields of imports that completed before names were remembered are remembered once, all of them', async () => {
  await bring('email,Ward\ndee@kent.co.uk,9\n', ['email', 'extra:ward']);
  await leaveRecords(250, await contactsOfMine());
  await sql`delete from contact_field_names where workspace_id = ${me.workspaceId}`.execute(
    test.owner.system,
  );
  const [migration = ''] = (await readdir('db/migrations')).filter((name) =>
    name.endsWith('_field_names_of_imports.sql'),
  );
  await sql.raw(await readFile(`db/migrations/${migration}`, 'utf8')).execute(test.owner.system);
  const { items } = await fields(me);
  expect(items).toEqual(expect.arrayContaining(['ward', 'field 001', 'field 250']));
  expect(items).toHaveLength(251);
});
