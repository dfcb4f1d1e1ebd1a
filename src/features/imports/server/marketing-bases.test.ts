import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeMany } from '#features/contacts/server/index.ts';
import { inBackground } from '#platform/server/call-context.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
  app.tasks.startWork();
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await signUp(app.app, { name: 'Hannah Pine' });
});

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
// biome-ignore lint/suspicious/noExplicitAny: each call answers its own shape
async function call(method: Method, url: string, payload?: object): Promise<any> {
  const { cookie } = person;
  const answer = await app.app.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) });
  return answer.json();
}
const bring = async (rows: readonly string[], more: object = {}) =>
  (await importCsv(app.app, person.cookie, `${rows.join('\n')}\n`, more)).json();
const add = async (email: string) => (await call('POST', '/api/emails', { email })).id;
const say = (id: number, basis: string) => call('PUT', `/api/emails/${id}/basis`, { basis });

/** What is said of each contact: `consent, Fair, 2024-04-20`. */
async function said(query = ''): Promise<Record<string, string>> {
  const { emails } = await call('GET', `/api/emails?sort=address&limit=200&${query}`);
  // biome-ignore lint/suspicious/noExplicitAny: contacts
  const lines = emails.map(({ address, marketing }: any) => [
    address.split('@')[0],
    [marketing.basis, marketing.source, marketing.givenOn].filter(Boolean).join(', '),
  ]);
  return Object.fromEntries(lines);
}
/** Figures of the settings, which must be those of the rows. */
async function counted() {
  const { contacts } = await call('GET', '/api/basis');
  const { rows } = await sql<{ basis: number; contacts: number }>`
    select basis, count(*)::int as contacts from contact_bases
    where workspace_id = ${person.workspaceId} group by basis order by basis`.execute(app.owner.system);
  const names = ['consent', 'soft_opt_in', 'corporate_subscriber', 'none'];
  expect(rows.filter(({ basis }) => basis > 0)).toEqual(
    names.flatMap((name, at) => (contacts[name] > 0 ? [{ basis: at + 1, contacts: contacts[name] }] : [])),
  );
  return contacts;
}
const fair = { basis: 'consent', source: 'Spring fair 2024', givenOn: '2024-04-20' };

it('gives the contacts of a file one basis, and leaves alone what is known', async () => {
  const [ann, bob] = [await add('ann@acme.co.uk'), await add('bob@acme.co.uk')];
  await say(bob, 'none');
  const rows = ['email', 'ann@acme.co.uk', 'bob@acme.co.uk', 'cyd@acme.co.uk', 'not an address'];
  const { id } = await bring(rows, { options: { basis: fair } });
  const own = 'consent, Spring fair 2024, 2024-04-20';
  expect(await said()).toEqual({ ann: own, bob: 'none', cyd: own });
  expect(await counted()).toMatchObject({ consent: 2, none: 1, unknown: 0 });
  const { items } = await call('GET', `/api/emails/${ann}/timeline`);
  expect(items.find(({ kind }: { kind: string }) => kind === 'basis_said')).toMatchObject({
    ...{ ...fair, how: 'import', contacts: 2 },
    import: { id },
  });
  // It is evidence of the import, not something to undo on the page of changes.
  expect((await call('GET', '/api/basis-changes')).totalCount).toBe(0);
  await call('POST', `/api/imports/${id}/undo`);
  expect(await said()).toEqual({ ann: 'unknown', bob: 'none' });
  expect(await counted()).toMatchObject({ consent: 0, none: 1 });
});

it('says a no of somebody whose contact is being edited meanwhile', async () => {
  const { workspaceId } = person;
  const ann = await add('ann@acme.co.uk');
  await app.database.asTenant(workspaceId, async (tx) => {
    await changeMany(tx, workspaceId, [ann], (before) => ({ ...before, notes: 'Rang us' }));
    await inBackground(() => bring(['email', 'ann@acme.co.uk'], { options: { basis: { basis: 'none' } } }));
  });
  expect(await said()).toEqual({ ann: 'none' });
  expect(await counted()).toMatchObject({ none: 1 });
});

it('takes the basis, its source and its day from columns, and claims nothing it cannot read', async () => {
  const rows = [
    'email,Marketing basis,Consent source,Consent date',
    'ann@acme.co.uk,Consent,Website form,12/03/2024',
    'bob@acme.co.uk,Soft opt-in,,',
    'cyd@acme.co.uk,maybe,Letter,2024-01-01',
    'dee@acme.co.uk,,,',
    'eve@acme.co.uk,corporate_subscriber,Website form,31/31/2024',
    'ann@acme.co.uk,None,She rang,2025-01-02',
    'fay@acme.co.uk,No consent,,2999-01-01',
  ];
  const checked = await bring(rows, { dryRun: true });
  const { check } = await call('GET', `/api/imports/${checked.id}`);
  expect(check.columns.map(({ target }: { target: string }) => target)).toEqual([
    ...['email', 'basis', 'basisSource', 'basisDate'],
  ]);
  expect(check.doNotMail).toEqual([]);
  const body = { listId: null, tagIds: [], basis: fair };
  expect((await call('PATCH', `/api/imports/${checked.id}`, body)).options.basis).toEqual(fair);
  await call('POST', `/api/imports/${checked.id}/run`, {});
  expect(await said()).toEqual({
    // A none wins, wherever it stands.
    ann: 'none, She rang, 2025-01-02',
    bob: 'soft_opt_in',
    cyd: 'unknown',
    dee: 'consent, Spring fair 2024, 2024-04-20',
    eve: 'corporate_subscriber, Website form',
    fay: 'none',
  });
  expect(await counted()).toMatchObject({ consent: 1, soft_opt_in: 1, corporate_subscriber: 1, none: 2 });
  await call('POST', `/api/imports/${checked.id}/undo`);
  expect(await said()).toEqual({});
  await counted();
});

it('says of somebody who was there that they refuse, whatever was known, until it is undone', async () => {
  const ann = await add('ann@acme.co.uk');
  await call('PUT', `/api/emails/${ann}/basis`, fair);
  const refused = { basis: 'none', source: 'Objections 2026' };
  const { id } = await bring(['email', 'ann@acme.co.uk', 'bob@acme.co.uk'], { options: { basis: refused } });
  expect(await said()).toEqual({ ann: 'none, Objections 2026', bob: 'none, Objections 2026' });
  await counted();
  await call('POST', `/api/imports/${id}/undo`);
  expect(await said()).toEqual({ ann: 'consent, Spring fair 2024, 2024-04-20' });
  expect(await counted()).toMatchObject({ consent: 1, none: 0 });
});

describe('a no that a second file says, too', () => {
  const email = ['email', 'ann@acme.co.uk', 'bob@acme.co.uk'];
  const refuse = async (source: string) =>
    (await bring(email, { options: { basis: { basis: 'none', source } } })).id;
  const undo = (id: number) => call('POST', `/api/imports/${id}/undo`);
  let ann: number;
  beforeEach(async () => {
    ann = await add('ann@acme.co.uk');
    await say(await add('bob@acme.co.uk'), 'consent');
  });

  it.each([0, 1])('stands when the other is undone, that with the number %i', async (at) => {
    const files = ['Objections 2025', 'Objections 2026'];
    const ids = [await refuse('Objections 2025'), await refuse('Objections 2026')];
    expect(await counted()).toMatchObject({ none: 2, consent: 0 });
    await undo(ids[at]);
    const left = `none, ${files[1 - at]}`;
    expect(await said()).toEqual({ ann: left, bob: left });
    expect(await counted()).toMatchObject({ none: 2, consent: 0 });
    await undo(ids[1 - at]);
    expect(await said()).toEqual({ ann: 'unknown', bob: 'consent' });
    expect(await counted()).toMatchObject({ none: 0, consent: 1 });
  });

  it('stands when what was said of many before is undone', async () => {
    const { changeId } = await call('POST', '/api/basis-changes', { filter: {}, basis: 'none' });
    const id = await refuse('Objections');
    await call('POST', `/api/basis-changes/${changeId}/undo`);
    expect(await said()).toEqual({ ann: 'none, Objections', bob: 'none, Objections' });
    await undo(id);
    expect(await said()).toEqual({ ann: 'unknown', bob: 'consent' });
    await counted();
  });

  it('stands when a merge is undone that said it before', async () => {
    const other = await add('anna@acme.co.uk');
    await say(other, 'none');
    const merge = { keepId: ann, otherIds: [other] };
    const { mergeId } = await call('POST', '/api/review/duplicates/merge', merge);
    const id = await refuse('Objections');
    await call('POST', `/api/merges/${mergeId}/undo`);
    expect(await said()).toMatchObject({ ann: 'none, Objections', anna: 'none' });
    await undo(id);
    expect(await said()).toEqual({ ann: 'unknown', anna: 'none', bob: 'consent' });
    await counted();
  });

  it('adds nothing to one by hand, which nobody can undo', async () => {
    await say(ann, 'none');
    await refuse('Objections');
    expect(await said()).toEqual({ ann: 'none', bob: 'none, Objections' });
  });

  it('counts once where a row and a further copy of it say it', async () => {
    const rows = ['email,marketing basis', 'cyd@acme.co.uk,none', 'cyd@acme.co.uk,none'];
    const { id } = await bring(rows, { options: { removeDuplicates: false } });
    const { emails } = await call('GET', '/api/emails?status=active&search=cyd');
    const { items } = await call('GET', `/api/emails/${emails[0].id}/timeline`);
    expect(items.filter(({ kind }: { kind: string }) => kind === 'basis_said')).toHaveLength(1);
    await undo(id);
    expect(await said()).toEqual({ ann: 'unknown', bob: 'consent' });
    await counted();
  });
});

describe('an import that keeps further copies', () => {
  const options = { removeDuplicates: false };
  /** What is said of the contacts themselves, without their copies. */
  const saidOfContacts = () => said('status=active');

  it('says a no of the contact, and not only of its copy, until it is undone', async () => {
    const ann = await add('ann@acme.co.uk');
    await call('PUT', `/api/emails/${ann}/basis`, fair);
    await add('bob@acme.co.uk');
    const rows = ['email,marketing basis', 'ann@acme.co.uk,none', 'bob@acme.co.uk,consent'];
    const { id, imported } = await bring(rows, { options });
    expect(imported).toBe(2);
    expect(await saidOfContacts()).toEqual({ ann: 'none', bob: 'consent' });
    expect(await said('status=duplicate')).toEqual({ ann: 'none', bob: 'consent' });
    expect(await counted()).toMatchObject({ consent: 2, none: 2 });
    await call('POST', `/api/imports/${id}/undo`);
    expect(await said()).toEqual({ ann: 'consent, Spring fair 2024, 2024-04-20', bob: 'unknown' });
    expect(await counted()).toMatchObject({ consent: 1, none: 0 });
  });

  it('heeds a no in any row of an address', async () => {
    const rows = [
      'ann@acme.co.uk,consent',
      'ann@acme.co.uk,none',
      'bob@acme.co.uk,none',
      'bob@acme.co.uk,consent',
    ];
    const { id } = await bring(['email,marketing basis', ...rows], { options });
    expect(await saidOfContacts()).toEqual({ ann: 'none', bob: 'none' });
    await counted();
    // Somebody changed them since, so they stay.
    const { emails } = await call('GET', '/api/emails?status=active');
    for (const one of emails) await call('PATCH', `/api/emails/${one.id}`, { notes: 'Rang us' });
    await call('POST', `/api/imports/${id}/undo`);
    expect(await said()).toEqual({ ann: 'unknown', bob: 'unknown' });
    await counted();
  });
});

it('gives the basis back with contacts that come back from the bin', async () => {
  const { id } = await bring(['email', 'ann@acme.co.uk'], { options: { basis: fair } });
  const { removalId } = await call('POST', `/api/imports/${id}/undo`);
  await call('POST', `/api/removals/${removalId}/restore`, {});
  expect(await said()).toEqual({ ann: 'consent, Spring fair 2024, 2024-04-20' });
  await counted();
});

it('follows a corrected address to its contact', async () => {
  await bring(['email', 'ann@gmial.com'], { options: { filterNonUk: false } });
  await call('POST', '/api/review/corrections/accept', { pattern: { from: 'gmial.com', to: 'gmail.com' } });
  await bring(['email', 'ann@gmial.com'], { options: { basis: fair, filterNonUk: false } });
  expect(Object.values(await said())).toEqual(['consent, Spring fair 2024, 2024-04-20']);
});

it('refuses a day that has not come, and a source of what is unknown', async () => {
  for (const basis of [
    { ...fair, givenOn: '2999-01-01' },
    { basis: 'unknown', source: 'Fair' },
  ]) {
    expect((await bring(['email', 'ann@acme.co.uk'], { options: { basis } })).code).toBe('invalid_input');
    const kept = await bring(['email', 'ann@acme.co.uk'], { dryRun: true });
    const body = { listId: null, tagIds: [], basis };
    expect((await call('PATCH', `/api/imports/${kept.id}`, body)).code).toBe('invalid_input');
  }
});
