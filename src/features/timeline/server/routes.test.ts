import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnyEvent as ContactEvent } from '#platform/shared/contact-event.ts';
import { formOf, importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';

let test: TestApp;
let person: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
  test.tasks.startWork();
});
afterAll(() => test?.close());
beforeEach(async () => {
  person = await signUp(test.app, { name: 'Hannah Pine' });
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
async function call(method: Method, url: string, payload?: object, by: SignedIn = person) {
  const answer = await test.app.inject({
    method,
    url,
    headers: { cookie: by.cookie },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
}
async function done(method: Method, url: string, payload?: object, by?: SignedIn) {
  const { status, body } = await call(method, url, payload, by);
  if (status >= 300) throw new Error(`${method} ${url}: ${status} ${JSON.stringify(body)}`);
  return body;
}
const add = async (email: string): Promise<number> => (await done('POST', '/api/emails', { email })).id;
const events = async (id: number): Promise<ContactEvent[]> =>
  (await done('GET', `/api/emails/${id}/timeline`)).items;
/**
 * The changes without the event that every contact begins with, and without the verdicts, which
 * follow every change of an address.
 */
const changes = async (id: number): Promise<ContactEvent[]> =>
  (await events(id)).filter(({ kind }) => kind !== 'added' && kind !== 'verified');
const kinds = async (id: number) => (await events(id)).map(({ kind }) => kind);
const idOf = async (search: string): Promise<number> =>
  (await done('GET', `/api/emails?search=${encodeURIComponent(search)}`)).emails[0].id;

describe('the timeline of a contact', () => {
  it('begins with who added it by hand, and its first verdict', async () => {
    const id = await add('jo@acme.co.uk');
    const { body } = await call('GET', `/api/emails/${id}/timeline`);
    const contact = await done('GET', `/api/emails/${id}`);
    expect(body).toEqual({
      items: [
        {
          kind: 'verified',
          at: contact.verification.checkedAt,
          by: null,
          verdict: 'valid',
          risk: 0,
          run: null,
        },
        { kind: 'added', at: contact.createdAt, by: 'Hannah Pine', as: 'active', import: null },
      ],
      isAll: true,
      lastActivityAt: contact.verification.checkedAt,
    });
  });

  it('begins with the file that it was imported from, and what it was taken for', async () => {
    const options = {
      removeDuplicates: false,
      validateEmails: false,
      filterNonUk: false,
      checkSuppressions: false,
    };
    const csv = 'email\njo@acme.co.uk\nJO@acme.co.uk\nno-at-sign\n';
    const form = { fileName: 'fair.csv', options };
    const imported = (await importCsv(test.app, person.cookie, csv, form)).json();
    const { emails } = await done('GET', '/api/emails?order=asc');
    const first = await Promise.all(
      emails.map(async ({ id }: { id: number }) => (await events(id)).find(({ kind }) => kind === 'added')),
    );
    const file = { id: imported.id, fileName: 'fair.csv' };
    expect(first.map(({ as }) => as).sort()).toEqual(['active', 'duplicate', 'invalid']);
    for (const event of first) expect(event).toMatchObject({ import: file, by: 'Hannah Pine' });
  });

  it('names the key that a program imported with, as the audit log does', async () => {
    const { key } = await done('POST', '/api/keys', { name: 'Till', scopes: ['imports:write'] });
    const form = { fileName: 'till.csv', headers: { authorization: `Bearer ${key}` } };
    const csv = 'email\nann@acme.co.uk\nann@acme.co.uk\nno-at-sign\n';
    const imported = (await importCsv(test.app, '', csv, form)).json();
    expect(imported).toMatchObject({ imported: 1, duplicates: 1, invalid: 1 });
    const [added] = (await events(await idOf('ann@'))).filter(({ kind }) => kind === 'added');
    expect(added).toMatchObject({ import: { id: imported.id, fileName: 'till.csv' }, by: 'API key Till' });
    const { items } = await done('GET', '/api/audit');
    expect(items.find(({ action }: { action: string }) => action === 'import.completed')).toMatchObject({
      actor: 'API key Till',
      subject: `import:${imported.id}`,
      details: { fileName: 'till.csv', added: 1, duplicates: 1, invalid: 1, nonUk: 0, suppressed: 0 },
    });
  });

  it('tells of the last verdict, and of the run that said so', async () => {
    const [one, other] = [await add('jo@acme.co.uk'), await add('info@acme.co.uk')];
    const verdictOn = async (id: number) => (await events(id)).find(({ kind }) => kind === 'verified');
    const whole = await done('POST', '/api/verifications');
    expect(await verdictOn(other)).toMatchObject({
      run: { id: whole.runId, whole: true },
      by: 'Hannah Pine',
      risk: 10,
    });
    const alone = await done('POST', '/api/verifications', { selection: { ids: [one] } });
    expect(await verdictOn(one)).toMatchObject({ run: { id: alone.runId, whole: false }, by: 'Hannah Pine' });
    await done('POST', '/api/verifications', { selection: { ids: [one, other] } });
    expect(await verdictOn(one)).toMatchObject({ run: null, by: null });
  });

  it('tells when it was suppressed, lifted, and suppressed again', async () => {
    const id = await add('jo@acme.co.uk');
    const entry = await done('POST', '/api/suppressions/email', { emailId: id });
    const { liftingId } = await done('DELETE', `/api/suppressions/email/${entry.id}`, {
      reason: 'Asked to be mailed again',
    });
    await done('POST', `/api/suppressions/liftings/${liftingId}/undo`);
    expect(await changes(id)).toMatchObject([
      { kind: 'put_back', domain: null, by: 'Hannah Pine' },
      { kind: 'lifted', domain: null, why: 'Asked to be mailed again', by: 'Hannah Pine' },
      { kind: 'suppressed', domain: null, reason: 'manual', note: null, fileName: null, by: 'Hannah Pine' },
    ]);

    // Taking the address off the list and adding it again makes another entry.
    const lifted = await done('DELETE', `/api/suppressions/email/${entry.id}`, {});
    await done('POST', '/api/suppressions/email/manual', { email: 'jo@acme.co.uk', note: 'By phone' });
    await done('POST', `/api/suppressions/liftings/${lifted.liftingId}/undo`);
    expect((await changes(id)).slice(0, 2)).toMatchObject([
      { kind: 'suppressed', note: 'By phone' },
      { kind: 'lifted', why: null },
    ]);
    expect(await changes(id)).toHaveLength(5);
  });

  it('tells of its domain, of one above it, and of the list that an entry came with', async () => {
    const id = await add('jo@post.acme.co.uk');
    const domain = await done('POST', '/api/suppressions/domain', { domain: 'acme.co.uk', note: 'Rival' });
    await done('DELETE', `/api/suppressions/domain/${domain.id}`, {});
    const { payload, headers } = formOf([['file', 'post.acme.co.uk\njo@post.acme.co.uk\n', 'optouts.csv']]);
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/suppressions/import',
      headers: { ...headers, cookie: person.cookie },
      payload,
    });
    expect(answer.statusCode).toBeLessThan(300);
    const told = await changes(id);
    expect(told).toHaveLength(4);
    expect(told).toContainEqual(
      expect.objectContaining({ kind: 'suppressed', domain: null, fileName: 'optouts.csv' }),
    );
    expect(told).toContainEqual(
      expect.objectContaining({
        kind: 'suppressed',
        domain: 'post.acme.co.uk',
        reason: 'imported',
        fileName: 'optouts.csv',
      }),
    );
    expect(told.slice(2)).toMatchObject([
      { kind: 'lifted', domain: 'acme.co.uk' },
      { kind: 'suppressed', domain: 'acme.co.uk', note: 'Rival', by: 'Hannah Pine' },
    ]);
    expect(await changes(await add('jo@other.co.uk'))).toEqual([]);
  });

  it('tells of a corrected address, of what it carries over, and of its way back', async () => {
    const id = await add('jo@gmial.com');
    await done('POST', '/api/suppressions/email', { emailId: id });
    const { correctionId } = await done('POST', '/api/review/corrections/accept', { ids: [id] });
    expect(await changes(id)).toMatchObject([
      { kind: 'suppressed', note: 'Carried over from another address' },
      { kind: 'corrected', from: 'jo@gmial.com', to: 'jo@gmail.com', by: 'Hannah Pine' },
    ]);
    expect((await kinds(id))[0]).toBe('verified');
    await done('POST', `/api/corrections/${correctionId}/undo`);
    const undone = { kind: 'correction_undone', from: 'jo@gmail.com', to: 'jo@gmial.com' };
    expect((await changes(id))[0]).toMatchObject({ ...undone, by: 'Hannah Pine' });
  });

  it('does not say that an address came back which another contact has by now', async () => {
    const [id, other] = [await add('jo@gmial.com'), await add('ann@gmial.com')];
    const { correctionId } = await done('POST', '/api/review/corrections/accept', { ids: [id, other] });
    await add('jo@gmial.com');
    expect(await done('POST', `/api/corrections/${correctionId}/undo`)).toEqual({ restored: 1, leftOut: 1 });
    expect((await changes(id)).map(({ kind }) => kind)).toEqual(['corrected']);
    expect((await changes(other)).map(({ kind }) => kind)).toEqual(['correction_undone', 'corrected']);
  });

  it('tells both contacts of a merge, and of its undoing', async () => {
    const [keepId, otherId] = [await add('jo.bloggs@gmail.com'), await add('jobloggs@gmail.com')];
    await done('POST', '/api/verifications');
    const merge = { keepId, otherIds: [otherId] };
    const { mergeId } = await done('POST', '/api/review/duplicates/merge', merge);
    expect(await changes(keepId)).toMatchObject([
      { kind: 'merged', others: ['jobloggs@gmail.com'], contacts: 1, by: 'Hannah Pine' },
    ]);
    await done('POST', `/api/merges/${mergeId}/undo`);
    expect(await changes(keepId)).toMatchObject([
      { kind: 'unmerged', contacts: 1, by: 'Hannah Pine' },
      { kind: 'merged' },
    ]);
    expect(await changes(otherId)).toMatchObject([
      { kind: 'restored', how: 'merge', by: 'Hannah Pine' },
      { kind: 'removed', how: 'merge', into: 'jo.bloggs@gmail.com', by: 'Hannah Pine' },
    ]);
  });

  it('tells of every deletion of it alone, and of the last removal with others that it came back from', async () => {
    const [id, other] = [await add('jo@acme.co.uk'), await add('ann@acme.co.uk')];
    const colleague = await signUpMember(test.app, test.database, {
      workspaceId: person.workspaceId,
      role: 'editor',
      name: 'Ruth Kendrick',
    });
    const first = await done('DELETE', `/api/emails/${id}`);
    await done('POST', `/api/removals/${first.removalId}/restore`, undefined, colleague);
    const both = await done('DELETE', '/api/emails/bulk', { ids: [id, other] }, colleague);
    await done('POST', `/api/removals/${both.removalId}/restore`);
    expect(await changes(id)).toMatchObject([
      { kind: 'restored', how: 'delete', by: 'Hannah Pine' },
      { kind: 'removed', how: 'delete', into: null, by: 'Ruth Kendrick' },
      { kind: 'restored', how: 'delete', by: 'Ruth Kendrick' },
      { kind: 'removed', how: 'delete', into: null, by: 'Hannah Pine' },
    ]);
    expect(await changes(other)).toMatchObject([
      { kind: 'restored' },
      { kind: 'removed', by: 'Ruth Kendrick' },
    ]);
  });

  it('tells when a contact itself came back, and who brought it, where others of its removal came before', async () => {
    const [jo, ann] = [await add('jo@acme.co.uk'), await add('ann@acme.co.uk')];
    const { removalId } = await done('DELETE', '/api/emails/bulk', { ids: [jo, ann] });
    const again = await add('jo@acme.co.uk');
    await done('POST', `/api/removals/${removalId}/restore`);
    await done('DELETE', `/api/emails/${again}`);
    const colleague = await signUpMember(test.app, test.database, {
      workspaceId: person.workspaceId,
      role: 'editor',
      name: 'Ruth Kendrick',
    });
    await done('POST', `/api/removals/${removalId}/restore`, undefined, colleague);
    const [first] = await changes(ann);
    const [second] = await changes(jo);
    expect(first).toMatchObject({ kind: 'restored', by: 'Hannah Pine' });
    expect(second).toMatchObject({ kind: 'restored', by: 'Ruth Kendrick' });
    expect(String(first?.at) < String(second?.at)).toBe(true);
  });

  it('names the clean, or the undoing of its import, that removed it', async () => {
    // Not by a choice for this file, which a clean would respect.
    const allow = (...allowedDomains: string[]) =>
      done('PATCH', '/api/settings', { emailValidation: { allowedDomains } });
    await allow('.uk', '.de');
    const form = { fileName: 'fair.csv' };
    const imported = (await importCsv(test.app, person.cookie, 'email\njo@acme.de\n', form)).json();
    const id = await idOf('jo@acme.de');
    await allow('.uk');
    const cleaned = await done('POST', '/api/emails/clean');
    await done('POST', `/api/removals/${cleaned.removalId}/restore`);
    expect(await changes(id)).toMatchObject([{ kind: 'restored' }, { kind: 'removed', how: 'clean' }]);
    const undo = await done('POST', `/api/imports/${imported.id}/undo`);
    await done('POST', `/api/removals/${undo.removalId}/restore`);
    expect(await changes(id)).toMatchObject([{ kind: 'restored' }, { kind: 'removed', how: 'undo_import' }]);
  });

  it('tells of lists and tags: who, when, how, and what was taken off again', async () => {
    const [id, other] = [await add('jo@acme.co.uk'), await add('ann@acme.co.uk')];
    const { id: fair } = await done('POST', '/api/lists', { name: 'Fair' });
    const { id: vip } = await done('POST', '/api/tags', { name: 'VIP' });
    const told = async () => (await changes(id)).map(({ at: _, ...event }) => event);
    const list = { id: fair, name: 'Fair' };
    await done('POST', `/api/lists/${fair}/contacts`, { ids: [id, other] });
    const chosen = {
      kind: 'put_on_list',
      list,
      how: 'chosen',
      import: null,
      contacts: 2,
      by: 'Hannah Pine',
    };
    expect(await told()).toEqual([chosen]);
    const { changeId } = await done('DELETE', `/api/lists/${fair}/contacts`, { emails: ['jo@acme.co.uk'] });
    const takenOff = { kind: 'taken_off_list', list, contacts: 1, by: 'Hannah Pine' };
    expect(await told()).toEqual([takenOff, chosen]);
    const imported = (
      await importCsv(test.app, person.cookie, 'email\njo@acme.co.uk\n', {
        fileName: 'fair.csv',
        options: { listId: fair, tagIds: [vip] },
      })
    ).json();
    const file = { how: 'import', import: { id: imported.id, fileName: 'fair.csv' }, contacts: null };
    const tagged = { kind: 'tagged', tag: { id: vip, name: 'VIP' }, ...file, by: 'Hannah Pine' };
    const again = { kind: 'put_on_list', list, ...file, by: 'Hannah Pine' };
    expect((await told()).slice(2)).toEqual([takenOff, chosen]);
    expect((await told()).slice(0, 2)).toEqual(expect.arrayContaining([tagged, again]));
    await done('POST', `/api/imports/${imported.id}/undo`);
    expect((await told()).map(({ kind }) => kind).sort()).toEqual(
      ['put_on_list', 'put_on_list', 'tagged', 'taken_off_list', 'taken_off_list', 'untagged'].sort(),
    );
    // An undone removal leaves no event, and what stood before stands again.
    await done('POST', `/api/membership-changes/${changeId}/undo`);
    expect((await told()).filter(({ kind }) => kind === 'taken_off_list')).toHaveLength(1);
    await done('DELETE', `/api/lists/${fair}`);
    expect((await told()).some(({ kind }) => kind === 'put_on_list')).toBe(true);
    expect(await changes(other)).toMatchObject([{ kind: 'put_on_list' }]);
  });

  it('is cut at the newest fifty, and says so', async () => {
    const id = await add('jo@acme.co.uk');
    const rounds = 26;
    for (let round = 0; round < rounds; round++) {
      const entry = await done('POST', '/api/suppressions/email', { emailId: id });
      await done('DELETE', `/api/suppressions/email/${entry.id}`, { reason: `Round ${round}` });
    }
    const { items, isAll, lastActivityAt } = await done('GET', `/api/emails/${id}/timeline`);
    expect(items).toHaveLength(50);
    expect(isAll).toBe(false);
    expect(items[0]).toMatchObject({ kind: 'lifted', why: `Round ${rounds - 1}`, at: lastActivityAt });
    const times = items.map(({ at }: ContactEvent) => at);
    expect(times).toEqual(times.toSorted().reverse());
    expect(items.map(({ kind }: ContactEvent) => kind)).not.toContain('added');
  });

  it('tells an API key of verdicts and suppressions only where it may read them', async () => {
    const id = await add('jo@acme.co.uk');
    const { id: entry } = await done('POST', '/api/suppressions/email', { emailId: id });
    await done('DELETE', `/api/suppressions/email/${entry}`, { reason: 'They came back' });
    const told = async (...scopes: string[]) => {
      const { key } = await done('POST', '/api/keys', { name: 'Website', scopes });
      const headers = { authorization: `Bearer ${key}` };
      const answer = await test.app.inject({ url: `/api/emails/${id}/timeline`, headers });
      const { items, lastActivityAt } = answer.json();
      expect(lastActivityAt).toBe(items[0].at);
      return items.map(({ kind }: ContactEvent) => kind).sort();
    };
    expect(await told('contacts:read')).toEqual(['added']);
    expect(await told('contacts:read', 'verify')).toEqual(['added', 'verified']);
    const suppressions = ['added', 'lifted', 'suppressed'];
    expect(await told('contacts:read', 'suppressions:read')).toEqual(suppressions);
    expect((await kinds(id)).sort()).toEqual([...suppressions, 'verified']);
  });

  it('is read by a viewer, and is not there for another workspace', async () => {
    const id = await add('jo@acme.co.uk');
    const { workspaceId } = person;
    const viewer = await signUpMember(test.app, test.database, { workspaceId, role: 'viewer' });
    const url = `/api/emails/${id}/timeline`;
    expect((await call('GET', url, undefined, viewer)).body.items).toHaveLength(2);
    const stranger = await signUp(test.app);
    const theirs = await call('GET', url, undefined, stranger);
    const nobodys = await call('GET', '/api/emails/999999999/timeline', undefined, stranger);
    expect(theirs).toEqual(nobodys);
    expect(theirs.status).toBe(404);
  });
});
