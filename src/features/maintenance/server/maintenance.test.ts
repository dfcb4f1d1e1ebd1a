import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';

let product: TestApp;
let person: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
});
beforeEach(async () => {
  person = await signUp(product.app);
  const rows = [
    'email',
    'ann@acme.co.uk',
    'ann@acme.co.uk',
    'not an address',
    'otto@firma.de',
    'bob@shop.co.uk',
  ];
  const options = {
    removeDuplicates: false,
    validateEmails: false,
    checkSuppressions: false,
  };
  // Under another default, so that nobody has chosen to let them in.
  await allow('.uk', '.de');
  const answer = await importCsv(product.app, person.cookie, `${rows.join('\n')}\n`, { options });
  expect(answer.json()).toMatchObject({ imported: 5 });
  await allow('.uk');
});
afterAll(() => product.close());

const send = (method: 'GET' | 'POST', url: string, cookie = person.cookie) =>
  product.app.inject({ method, url, headers: { cookie } });

const allow = (...allowedDomains: string[]) =>
  product.app.inject({
    method: 'PATCH',
    url: '/api/settings',
    headers: { cookie: person.cookie },
    payload: { emailValidation: { allowedDomains } },
  });

describe('the cleanup', () => {
  it('of nothing leads to no removal', async () => {
    const tidy = await signUp(product.app);
    const done = await send('POST', '/api/maintenance/cleanup', tidy.cookie);
    expect(done.json()).toMatchObject({ removed: 0, removalId: null });
    const [line] = (await send('GET', '/api/activities', tidy.cookie)).json();
    expect(line).toMatchObject({ action: 'Database Cleaned', link: null });
  });

  const counts = { removed: 3, duplicates: 1, invalid: 1, nonUk: 1 };

  it('is not for viewers', async () => {
    const viewer = await signUpMember(product.app, product.database, {
      ...person,
      role: 'viewer',
      email: 'v@acme.co.uk',
    });
    expect((await send('POST', '/api/maintenance/cleanup', viewer.cookie)).statusCode).toBe(403);
  });

  it('shows first what it would do, and then does it, tidies up and can be restored', async () => {
    const { workspaceId } = person;
    await product.database.asTenant(workspaceId, async (tx) => {
      await sql`insert into removals (workspace_id, kind, contacts, created_at)
        values (${workspaceId}, 'delete', 1, now() - interval '31 days')`.execute(tx);
      await sql`
        insert into removed_contacts (workspace_id, removal_id, id, local, domain, state, created_at)
        select ${workspaceId}::bigint, max(id), 999999, 'old', 'acme.co.uk', 0, now() from removals`.execute(
        tx,
      );
    });
    const folder = join(product.dataDir, 'files', 'imports', String(workspaceId));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, '77.csv'), 'left over');
    await writeFile(join(folder, '78.csv'), 'just arriving');
    await utimes(join(folder, '77.csv'), new Date(0), new Date(0));

    const preview = await send('POST', '/api/maintenance/cleanup?preview=true');
    const { reasons, ...previewed } = preview.json();
    expect(previewed).toEqual({
      ...counts,
      removalId: null,
      letIn: 0,
      isEstimate: false,
      expired: 1,
      files: 0,
    });
    expect(reasons.map((one: { contacts: number }) => one.contacts)).toEqual([1, 1, 1, 0]);
    expect((await send('GET', '/api/stats')).json().totalEmails).toBe(5);

    const done = (await send('POST', '/api/maintenance/cleanup')).json();
    expect(done).toMatchObject({ ...counts, expired: 1, files: 1 });
    expect(await readdir(folder)).toEqual(['78.csv']);
    expect((await send('GET', '/api/stats')).json().totalEmails).toBe(2);

    const receipt = await send('GET', `/api/removals/${done.removalId}/receipt`);
    expect(receipt.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [header, ...lines] = receipt.body.trim().split('\n');
    expect(header).toBe('email,reason,name,source,date,notes,created,first_name,last_name');
    expect(lines.map((line) => line.split(',').slice(0, 2)).toSorted()).toEqual([
      ['"ann@acme.co.uk"', 'duplicate'],
      ['"not an address"', 'invalid'],
      ['"otto@firma.de"', 'nonUk'],
    ]);
    for (const line of lines) expect(line).toMatch(/,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ,,$/);
    const bin = (await send('GET', '/api/removals')).json();
    expect(bin.items[0]).toMatchObject({
      id: done.removalId,
      kind: 'clean',
      contacts: 3,
      reasons: { duplicates: 1, invalid: 1, nonUk: 1 },
      removedBy: person.email,
      state: 'in-bin',
    });
    expect(bin.items[1]).toMatchObject({ kind: 'delete', state: 'expired' });
    const found = await send('GET', `/api/removals/${done.removalId}/contacts?search=FIRMA`);
    expect(found.json()).toMatchObject({
      items: [{ address: 'otto@firma.de', reason: 'nonUk' }],
      totalCount: 1,
    });

    expect((await send('POST', `/api/removals/${done.removalId}/restore`)).json()).toEqual({
      restored: 3,
      leftOut: 0,
    });
    expect((await send('GET', '/api/removals')).json().items[0]).toMatchObject({
      state: 'restored',
      restored: 3,
    });
  });

  it('keeps its bin from other workspaces', async () => {
    const stranger = await signUp(product.app);
    expect((await send('POST', '/api/maintenance/cleanup')).json()).toMatchObject(counts);
    const [mine] = (await send('GET', '/api/removals')).json().items;
    for (const path of ['contacts', 'receipt'])
      expect((await send('GET', `/api/removals/${mine.id}/${path}`, stranger.cookie)).statusCode).toBe(404);
    expect((await send('GET', '/api/removals', stranger.cookie)).json()).toEqual({
      items: [],
      totalCount: 0,
    });
  });
});

it('exports the same as the contacts’ own call', async () => {
  const one = await send('GET', '/api/maintenance/export?search=bob');
  const other = await send('GET', '/api/emails/export?search=bob');
  expect(one.body).toBe(other.body);
  expect(one.body).toContain('bob@shop.co.uk');
  expect(one.headers['content-disposition']).toMatch(/contacts-\d{4}-\d\d-\d\d\.csv/);
});
