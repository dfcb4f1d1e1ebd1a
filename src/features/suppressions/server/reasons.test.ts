import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { formOf, importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { personal } from './erasing/personal.ts';
import { selectAddress } from './queries.ts';
import { giveReasons } from './reason-queries.ts';
import { suppressRecipients } from './suppress-addresses.ts';

// An entry has one reason, the weightiest that was given for its address, however they came.

let product: TestApp;
let me: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
  product.tasks.startWork();
});
afterAll(() => product.close());
beforeEach(async () => {
  me = await signUp(product.app);
});
afterEach(async () => {
  expect(await asMe((tx) => checkBooks(tx, me.workspaceId))).toEqual([]);
});

const asMe = <T>(work: (tx: TenantTx) => Promise<T>) => product.database.asTenant(me.workspaceId, work);
const ann = { local: 'ann', domain: 'acme.co.uk' };
const entryOfAnn = async () => {
  const { rows } = await sql<{ reason: string; refusesAll: boolean; note: string | null }>`
    select reason, refuses_all as "refusesAll", note from suppressions
    where workspace_id = ${me.workspaceId} and local = 'ann' and domain = 'acme.co.uk'`.execute(
    product.owner.system,
  );
  return rows[0];
};
const tell = (
  reason: 'manual' | 'unsubscribed' | 'bounced' | 'complained' | 'erased' | 'imported',
  note: string | null,
) => asMe((tx) => suppressRecipients(tx, me.workspaceId, [{ ...ann, reason, note }]));
const raise = async (tx: TenantTx, ...reasons: string[]) => {
  const given = sql`
    select 'ann' as local, 'acme.co.uk' as domain, reason, 'From “News”' as note
    from unnest(${reasons}::text[]) as g (reason)`;
  await giveReasons(tx, me.workspaceId, given);
};

describe('an entry that is given another reason', () => {
  it.each([
    ['manual', 'unsubscribed', 'unsubscribed', false],
    ['imported', 'complained', 'complained', false],
    ['bounced', 'unsubscribed', 'unsubscribed', true],
    ['bounced', 'complained', 'complained', false],
    ['unsubscribed', 'complained', 'complained', false],
    ['unsubscribed', 'bounced', 'unsubscribed', true],
    ['manual', 'bounced', 'manual', true],
  ] as const)(
    '%s, then %s: says %s, and refuses receipts besides: %s',
    async (was, given, reason, refusesAll) => {
      await tell(was, 'By phone');
      await asMe((tx) => raise(tx, given));
      const entry = await entryOfAnn();
      expect(entry).toMatchObject({ reason, refusesAll });
      for (const part of ['By phone', 'From “News”']) expect(entry?.note).toContain(part);
    },
  );

  it.each([
    ['unsubscribed', 'unsubscribed'],
    ['unsubscribed', 'manual'],
    ['manual', 'imported'],
    ['complained', 'unsubscribed'],
    ['erased', 'complained'],
    ['complained', 'bounced'],
    ['bounced', 'bounced'],
  ] as const)('%s, then %s: says as much already', async (was, given) => {
    await tell(was, 'By phone');
    await asMe((tx) => raise(tx, given));
    expect(await entryOfAnn()).toEqual({ reason: was, refusesAll: false, note: 'By phone' });
  });

  it('keeps refusing receipts, once it does', async () => {
    await tell('unsubscribed', 'By phone');
    await tell('bounced', '550 No such user');
    const bounced = { reason: 'unsubscribed', refusesAll: true };
    expect(await entryOfAnn()).toEqual({ ...bounced, note: 'By phone. Bounced since: 550 No such user' });
    await tell('bounced', null);
    await tell('complained', null);
    expect(await entryOfAnn()).toMatchObject({
      ...{ reason: 'complained', refusesAll: true },
      note: 'On the list before: unsubscribed, By phone. Bounced since: 550 No such user',
    });
  });

  it('takes the weightiest of several, and that it bounced besides', async () => {
    await tell('manual', null);
    await asMe((tx) => raise(tx, 'bounced', 'unsubscribed', 'manual'));
    expect(await entryOfAnn()).toEqual({
      ...{ reason: 'unsubscribed', refusesAll: true },
      note: 'From “News”. On the list before: manual. Bounced since: From “News”',
    });
  });

  it('does not take back what somebody else gives it meanwhile', async () => {
    await tell('manual', null);
    const isWaiting = async () => {
      const { rows } = await sql`
        select from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'transactionid' and not l.granted and a.datname = current_database()`.execute(
        product.owner.system,
      );
      return rows.length > 0;
    };
    const held = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    const complaint = asMe(async (tx) => {
      await suppressRecipients(tx, me.workspaceId, [{ ...ann, reason: 'complained', note: null }]);
      held.resolve();
      await free.promise;
    });
    await held.promise;
    // A list has no lock on the figures while its lines come in.
    const list = asMe((tx) => raise(tx, 'unsubscribed'));
    try {
      await expect.poll(isWaiting).toBe(true);
    } finally {
      free.resolve();
      await complaint;
    }
    await list;
    expect(await entryOfAnn()).toMatchObject({ reason: 'complained' });
  });
});

describe('an entry made by hand does not hide that its owner has left', () => {
  async function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
    const headers = { cookie: me.cookie };
    const answer = await product.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
    expect([200, 201, 202], answer.body).toContain(answer.statusCode);
    return answer.json();
  }
  async function importList(reason: string, form: string, lines: string[]) {
    const { payload, headers } = formOf([
      ['reason', reason],
      ['form', form],
      ['file', lines.join('\n'), 'list.csv'],
    ]);
    const answer = await product.app.inject({
      ...{ method: 'POST', url: '/api/suppressions/import', payload },
      headers: { ...headers, cookie: me.cookie },
    });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  }
  const importHashes = (reason: string, address = 'ann@acme.co.uk', kind = 'sha256') =>
    importList(reason, kind, [createHash(kind).update(address).digest('hex')]);
  const exportOf = async (form: string): Promise<string> => {
    const url = `/api/suppressions/export?form=${form}`;
    return (await product.app.inject({ url, headers: { cookie: me.cookie } })).body;
  };
  const importContacts = async (...addresses: string[]) => {
    const options = { filterNonUk: false, checkSuppressions: false };
    await importCsv(product.app, me.cookie, `email\n${addresses.join('\n')}\n`, { options });
  };
  /** With lines of an address and what its column says of mailing. */
  const importFile = (...lines: string[]) =>
    importCsv(product.app, me.cookie, `email,status\n${lines.join('\n')}\n`, {
      options: { filterNonUk: false },
    });
  const put = (reason: string, email = 'ann@acme.co.uk') =>
    call('POST', '/api/suppressions/email/manual', { email, reason });
  const idOf = async (address: string): Promise<number> =>
    (await call('GET', '/api/emails')).emails.find((one: { address: string }) => one.address === address).id;
  const counts = async () => (await call('GET', '/api/suppressions/summary')).emails;

  it('where a hashed list comes in after it', async () => {
    await importContacts('ann@acme.co.uk');
    await put('manual');
    expect(await importHashes('unsubscribed')).toMatchObject({ hashes: 1, recognised: 0 });
    expect(await entryOfAnn()).toMatchObject({
      reason: 'unsubscribed',
      note: 'Known from a hashed list. On the list before: manual',
    });
    expect(await counts()).toEqual({ unsubscribed: 1 });
  });

  it('where a hashed list comes in after it, and it is no contact', async () => {
    await put('manual');
    await importHashes('unsubscribed');
    expect(await entryOfAnn()).toMatchObject({ reason: 'unsubscribed' });
  });

  it('where a hashed list came in before it', async () => {
    await importHashes('unsubscribed');
    expect(await put('manual')).toMatchObject({ reason: 'unsubscribed', isNew: true });
    expect(await counts()).toEqual({ unsubscribed: 1 });
  });

  it.each([
    ['a bounce', () => tell('bounced', null), true],
    ['a list of addresses', () => importList('manual', 'plain', ['ann@acme.co.uk']), false],
    ['a line of an imported file', () => importFile('ann@acme.co.uk,bounced'), true],
  ])('where a hashed list came in before %s', async (_what, comesIn, refusesAll) => {
    await importHashes('unsubscribed');
    await comesIn();
    expect(await entryOfAnn()).toMatchObject({ reason: 'unsubscribed', refusesAll });
    expect(await counts()).toEqual({ unsubscribed: 1 });
  });

  it('where a hashed list came in before the undo of a lifting', async () => {
    const { id } = await put('manual');
    const { liftingId } = await call('DELETE', `/api/suppressions/email/${id}`, { reason: 'a slip' });
    await importHashes('unsubscribed');
    expect(await call('POST', `/api/suppressions/liftings/${liftingId}/undo`)).toEqual({ restored: 1 });
    expect(await entryOfAnn()).toMatchObject({ reason: 'unsubscribed' });
    expect(await counts()).toEqual({ unsubscribed: 1 });
  });

  it('where a hash that is there already comes again with another reason', async () => {
    await importContacts('ann@acme.co.uk');
    await importHashes('manual');
    expect(await importHashes('complained')).toMatchObject({ hashes: 0, alreadyThere: 1, recognised: 0 });
    expect(await entryOfAnn()).toMatchObject({ reason: 'complained' });
    const again = await importList(...(['bounced', 'sha256'] as const), [
      'sha256,reason',
      ...['manual', 'unsubscribed'].map((reason) => `${'a'.repeat(64)},${reason}`),
    ]);
    expect(again).toMatchObject({ lines: 2, hashes: 1, alreadyThere: 1 });
    const { rows } = await sql`
      select reason from suppression_hashes where workspace_id = ${me.workspaceId} order by reason`.execute(
      product.owner.system,
    );
    expect(rows).toEqual([{ reason: 'complained' }, { reason: 'unsubscribed' }]);
  });

  it.each([
    ['bounced', 'unsubscribed'],
    ['unsubscribed', 'bounced'],
  ])('where a hash was %s, and is then %s', async (...reasons) => {
    for (const reason of reasons) await importHashes(reason);
    // Receipts are refused before anybody knows whose hash it is.
    const receipt = { to: 'ann@acme.co.uk', subject: 'Receipt', text: 'Thank you' };
    expect((await call('POST', '/api/send', receipt)).messages).toMatchObject([
      { status: 'suppressed', reason: 'bounced' },
    ]);
    const list = (await exportOf('sha256')).split('\n');
    expect(list[1]).toMatch(/^[0-9a-f]{64},unsubscribed,/);
    await importContacts('ann@acme.co.uk');
    expect(await entryOfAnn()).toMatchObject({ reason: 'unsubscribed', refusesAll: true });
  });

  it('where one list says both of a hash, of a contact and of one that is put on the list', async () => {
    await importContacts('ann@acme.co.uk');
    const lines = ['ann@acme.co.uk', 'bob@acme.co.uk'].flatMap((address) => {
      const hash = createHash('sha256').update(address).digest('hex');
      return [`${hash},bounced`, `${hash},unsubscribed`];
    });
    await importList('bounced', 'sha256', ['sha256,reason', ...lines]);
    expect(await entryOfAnn()).toMatchObject({ reason: 'unsubscribed', refusesAll: true });
    await put('manual', 'bob@acme.co.uk');
    const { rows } = await sql`
      select local, reason from suppressions where workspace_id = ${me.workspaceId} and refuses_all
      order by local`.execute(product.owner.system);
    expect(rows).toEqual(['ann', 'bob'].map((local) => ({ local, reason: 'unsubscribed' })));
    expect(await counts()).toEqual({ unsubscribed: 2 });
  });

  it('where a hash says less than its address, in an export', async () => {
    await importContacts('ann@acme.co.uk');
    await importHashes('bounced');
    await tell('unsubscribed', null);
    expect((await exportOf('sha256')).split('\n')[1]).toMatch(/,unsubscribed,/);
  });

  it('where lists of two kinds of hashes say different things, in the receipt of an import', async () => {
    await importHashes('bounced', 'ann@acme.co.uk', 'md5');
    await importHashes('unsubscribed');
    const contacts = 'email\nann@acme.co.uk\n';
    const options = { filterNonUk: false };
    const { id } = (await importCsv(product.app, me.cookie, contacts, { options })).json();
    const { body } = await product.app.inject({
      url: `/api/imports/${id}/receipt`,
      headers: { cookie: me.cookie },
    });
    expect(body).toContain(',suppressed,Unsubscribed on ');
  });

  it('where its contact comes in only then, by hand or with an import', async () => {
    for (const address of ['ann@acme.co.uk', 'bob@acme.co.uk']) {
      await importHashes('unsubscribed', address);
      await importHashes('bounced', address, 'md5');
    }
    await importList('manual', 'plain', ['ann@acme.co.uk']);
    await importContacts('ann@acme.co.uk');
    expect(await entryOfAnn()).toMatchObject({ reason: 'unsubscribed', refusesAll: true });
    await call('POST', '/api/emails', { email: 'bob@acme.co.uk', checkSuppressions: false });
    expect(await counts()).toEqual({ unsubscribed: 2 });
    const { rows } = await sql`
      select from suppressions where workspace_id = ${me.workspaceId} and refuses_all`.execute(
      product.owner.system,
    );
    expect(rows).toHaveLength(2);
  });

  it('where a contact gets an address that a hashed list has, and brings another reason', async () => {
    await importContacts('ann@acme.co.uk', 'a.nn@acme.co.uk');
    await put('manual', 'a.nn@acme.co.uk');
    await importHashes('unsubscribed', 'a.nn@acme.co.uk');
    await put('manual');
    const merge = { keepId: await idOf('ann@acme.co.uk'), otherIds: [await idOf('a.nn@acme.co.uk')] };
    await call('POST', '/api/review/duplicates/merge', merge);
    expect(await entryOfAnn()).toMatchObject({ reason: 'unsubscribed' });
    expect(await counts()).toEqual({ unsubscribed: 2 });
  });

  it('where an imported file says it, beside others that are new', async () => {
    await put('manual', 'bob@acme.co.uk');
    await importFile('ann@acme.co.uk,unsubscribed', 'bob@acme.co.uk,complained');
    expect(await counts()).toEqual({ unsubscribed: 1, complained: 1 });
  });

  it('where somebody of the business writes down what they have said', async () => {
    expect(await put('manual')).toMatchObject({ isNew: true });
    expect(await put('unsubscribed')).toMatchObject({ isNew: false, reason: 'unsubscribed' });
    expect(await put('manual')).toMatchObject({ isNew: false, reason: 'unsubscribed' });
    expect(await counts()).toEqual({ unsubscribed: 1 });
    // The reason stays, and receipts are refused from then on.
    expect(await put('bounced')).toMatchObject({ isNew: false, reason: 'unsubscribed' });
    const { items } = await call('GET', '/api/audit');
    const own = items.filter(({ action }: { action: string }) => action.startsWith('suppression.'));
    expect(own.map(({ action }: { action: string }) => action)).toEqual([
      'suppression.changed',
      'suppression.changed',
      'suppression.added',
    ]);
  });

  it('where what was taken off comes back', async () => {
    await tell('complained', null);
    await tell('bounced', null);
    const [{ id }] = (await call('GET', '/api/suppressions/emails')).items;
    const { liftingId } = await call('DELETE', `/api/suppressions/email/${id}`, { reason: 'a slip' });
    await put('unsubscribed');
    expect(await call('POST', `/api/suppressions/liftings/${liftingId}/undo`)).toEqual({ restored: 0 });
    expect(await entryOfAnn()).toMatchObject({ reason: 'complained' });
    expect(await counts()).toEqual({ complained: 1 });
  });

  it('where what was taken off bounced besides', async () => {
    await tell('unsubscribed', null);
    await tell('bounced', null);
    const [{ id }] = (await call('GET', '/api/suppressions/emails')).items;
    const { liftingId } = await call('DELETE', `/api/suppressions/email/${id}`, { reason: 'a slip' });
    await put('manual');
    await call('POST', `/api/suppressions/liftings/${liftingId}/undo`);
    expect(await entryOfAnn()).toMatchObject({ reason: 'unsubscribed', refusesAll: true });
  });

  it('where the person is erased again', async () => {
    const person = { ...ann, workspaceId: me.workspaceId };
    for (const reason of ['unsubscribed', 'complained', 'bounced'] as const) {
      await tell(reason, null);
      await asMe((tx) => personal.erase(tx, person));
    }
    const { rows } = await sql`
      select kind, reason from suppression_hashes where workspace_id = ${me.workspaceId}`.execute(
      product.owner.system,
    );
    expect(rows).toEqual([{ kind: 'hmac', reason: 'complained' }]);
    expect((await call('GET', '/api/suppressions/summary')).hashes).toEqual({ hmac: 1 });
  });

  it('where the person is erased, and the address had bounced besides', async () => {
    await tell('unsubscribed', null);
    await tell('bounced', null);
    await asMe((tx) => personal.erase(tx, { ...ann, workspaceId: me.workspaceId }));
    const { rows } = await sql`
      select reason, refuses_all from suppression_hashes where workspace_id = ${me.workspaceId}`.execute(
      product.owner.system,
    );
    expect(rows).toEqual([{ reason: 'unsubscribed', refuses_all: true }]);
    await put('manual');
    expect(await entryOfAnn()).toMatchObject({ reason: 'unsubscribed', refusesAll: true });
  });
});

describe('several contacts that become one', () => {
  const contact = async (email: string): Promise<number> => {
    const answer = await product.app.inject({
      ...{ method: 'POST', url: '/api/emails', headers: { cookie: me.cookie } },
      payload: { email, checkSuppressions: false },
    });
    return answer.json().id;
  };

  it.each([
    [['manual', 'unsubscribed']],
    [['unsubscribed', 'manual']],
    [['bounced', 'unsubscribed']],
  ] as const)('%j: the kept one has the weightiest reason of the others', async ([first, second]) => {
    const keepId = await contact('ann@acme.co.uk');
    const otherIds = [await contact('a.n.n@acme.co.uk'), await contact('an-n@shop.co.uk')];
    await asMe((tx) =>
      suppressRecipients(tx, me.workspaceId, [
        { local: 'a.n.n', domain: 'acme.co.uk', reason: first, note: null },
        { local: 'an-n', domain: 'shop.co.uk', reason: second, note: null },
      ]),
    );
    const answer = await product.app.inject({
      ...{ method: 'POST', url: '/api/review/duplicates/merge', headers: { cookie: me.cookie } },
      payload: { keepId, otherIds },
    });
    expect(answer.statusCode, answer.body).toBe(200);
    // A bounce is about a mailbox, and the kept one is another.
    expect(await entryOfAnn()).toMatchObject({ reason: 'unsubscribed', refusesAll: false });
  });

  it('another address of the same mailbox takes over the bounce behind an unsubscription', async () => {
    const mailbox = { local: 'a.n.n', domain: 'gmail.com' };
    const [keepId, otherId] = [await contact('a.n.n@gmail.com'), await contact('ann+news@googlemail.com')];
    const other = { local: 'ann+news', domain: 'googlemail.com', note: null } as const;
    for (const reason of ['bounced', 'unsubscribed'] as const)
      await asMe((tx) => suppressRecipients(tx, me.workspaceId, [{ ...other, reason }]));
    const answer = await product.app.inject({
      ...{ method: 'POST', url: '/api/review/duplicates/merge', headers: { cookie: me.cookie } },
      payload: { keepId, otherIds: [otherId] },
    });
    expect(answer.statusCode, answer.body).toBe(200);
    const entry = await asMe((tx) => selectAddress(tx, me.workspaceId, mailbox));
    expect(entry).toMatchObject({ reason: 'unsubscribed', refusesAll: true });
  });
});
