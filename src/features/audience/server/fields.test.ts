import { afterAll, beforeAll, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let test: TestApp;
let me: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
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
  const answer = await test.app.inject({
    url: '/api/emails?search=ann',
    headers: { cookie: me.cookie },
  });
  expect(answer.json().emails[0]).toMatchObject({ domain: 'kent.co.uk', attributes: { county: 'Kent' } });
  expect(answer.json().emails[0].importId).toBeGreaterThan(0);
});
