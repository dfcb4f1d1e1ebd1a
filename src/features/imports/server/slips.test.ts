import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import { formOf, importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let product: TestApp;
let person: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
});
afterAll(() => product.close());
beforeEach(async () => {
  person = await signUp(product.app);
});

const file = [
  'email,name',
  'ann@gmial.com,Ann',
  'Bob@gmial.com,Bob',
  'cat@hotmial.co.uk,Cat',
  'dan@acme.co.ukk,Dan',
  'eve@gmail.com,Eve',
  'fay@acme.co.uk,Fay',
].join('\n');
const options = { ukPolicy: 'any_but_foreign_cctld' };

const run = async (form: Parameters<typeof importCsv>[3] = {}) => {
  const answer = await importCsv(product.app, person.cookie, file, { options, ...form });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

async function ask(method: 'GET' | 'POST', url: string) {
  return (await product.app.inject({ method, url, headers: { cookie: person.cookie } })).json();
}

async function addresses(): Promise<string[]> {
  const { emails } = await ask('GET', '/api/emails?limit=200');
  const { workspaceId } = person;
  const books = await product.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId));
  expect(books).toEqual([]);
  return emails.map(({ address }: { address: string }) => address).sort();
}

it('slips are told before, with their number, and nobody changes them unasked', async () => {
  const { check } = await run({ dryRun: true });
  expect(check.slips).toEqual([
    { from: 'gmial.com', to: 'gmail.com', rows: 2, mended: false },
    { from: 'hotmial.co.uk', to: 'hotmail.co.uk', rows: 1, mended: false },
    { from: 'acme.co.ukk', to: 'acme.co.uk', rows: 1, mended: false },
  ]);
  expect(check.counts).toMatchObject({ imported: 5, invalid: 1 });
  await run();
  expect(await addresses()).toContain('cat@hotmial.co.uk');
});

it('chosen ones are read as they were meant, recorded, and can be undone', async () => {
  const { check } = await run({ dryRun: true, reading: { mend: ['gmial.com', 'acme.co.ukk'] } });
  expect(check.counts).toMatchObject({ imported: 6, invalid: 0 });
  expect(check.slips.map(({ mended }: { mended: boolean }) => mended)).toEqual([true, false, true]);
  expect(check.sample[1].why).toBe('Read as bob@gmail.com');
  expect(await run({ reading: { mend: ['gmial.com', 'acme.co.ukk'] } })).toMatchObject({ imported: 6 });
  expect(await addresses()).toEqual([
    'Bob@gmail.com',
    'ann@gmail.com',
    'cat@hotmial.co.uk',
    'dan@acme.co.uk',
    'eve@gmail.com',
    'fay@acme.co.uk',
  ]);
  // The same file brings nobody a second time, with or without mending.
  expect(await run()).toMatchObject({ imported: 0, duplicates: 5, invalid: 1 });
  expect(await run({ reading: { mend: 'all' } })).toMatchObject({ imported: 1, duplicates: 5 });

  const { items } = await ask('GET', '/api/review/history');
  const pattern = items.find((one: { title?: string }) => JSON.stringify(one).includes('gmial.com'));
  expect(pattern, JSON.stringify(items)).toBeDefined();
  await product.database.asTenant(person.workspaceId, async (tx) => {
    const { rows } = await sql<{ told: string }>`
      select from_domain || ' ' || to_domain || ' ' || contacts as told from corrections order by 1`.execute(
      tx,
    );
    expect(rows.map(({ told }) => told)).toEqual([
      'acme.co.ukk acme.co.uk 1',
      'gmial.com gmail.com 2',
      'hotmial.co.uk hotmail.co.uk 1',
    ]);
  });
});

it('undoing gives back what the file had, and the state it would have had', async () => {
  await run({ reading: { mend: 'all' } });
  await ask('GET', '/api/review/history');
  const ids = await product.database.asTenant(person.workspaceId, async (tx) => {
    const { rows } = await sql<{ id: number }>`select id from corrections order by id`.execute(tx);
    return rows.map(({ id }) => id);
  });
  expect(ids).toHaveLength(3);
  for (const id of ids) await ask('POST', `/api/corrections/${id}/undo`);
  expect(await addresses()).toEqual([
    'Bob@gmial.com',
    'ann@gmial.com',
    'cat@hotmial.co.uk',
    'dan@acme.co.ukk',
    'eve@gmail.com',
    'fay@acme.co.uk',
  ]);
  const { emails } = await ask('GET', '/api/emails?status=invalid');
  expect(emails.map(({ address }: { address: string }) => address)).toEqual(['dan@acme.co.ukk']);
});

it('the note of what the UK filter leaves out counts every class, with the largest domains', async () => {
  const lines = [
    'email',
    ...Array.from({ length: 3 }, (_, n) => `p${n}@btinternet.com`),
    ...Array.from({ length: 2 }, (_, n) => `p${n}@gmail.com`),
    'x@firma.de',
    'x@gov.scot',
    'x@nhs.wales',
    'x@acme.co.uk',
  ];
  const answer = await importCsv(product.app, person.cookie, lines.join('\n'), {});
  expect(answer.json()).toMatchObject({
    imported: 3,
    nonUk: 6,
    nonUkView: {
      uk: 0,
      likelyUk: 3,
      global: 2,
      notUk: 1,
      domains: [
        { domain: 'btinternet.com', uk: 'likely_uk', rows: 3 },
        { domain: 'gmail.com', uk: 'global', rows: 2 },
        { domain: 'firma.de', uk: 'not_uk', rows: 1 },
      ],
    },
  });
});

describe('whoever has left at the address with the slip', () => {
  const lines = ['email', 'jo@gmial.com', 'ann@gmial.com', 'bea@gmial.com', 'cy@gmial.com'];
  const bring = async (form: Parameters<typeof importCsv>[3] = {}) => {
    const answer = await importCsv(product.app, person.cookie, lines.join('\n'), {
      ...{ options, reading: { mend: 'all' as const } },
      ...form,
    });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  };
  const post = async (url: string, payload: object) => {
    const headers = { cookie: person.cookie };
    const answer = await product.app.inject({ method: 'POST', url, headers, payload });
    expect([200, 201], answer.body).toContain(answer.statusCode);
  };
  const suppress = (email: string, reason: string) =>
    post('/api/suppressions/email/manual', { email, reason });
  async function suppressHash(email: string): Promise<void> {
    const { payload, headers } = formOf([
      ['reason', 'unsubscribed'],
      ['file', createHash('md5').update(email).digest('hex'), 'list.csv'],
    ]);
    const answer = await product.app.inject({
      ...{ method: 'POST', url: '/api/suppressions/import', payload },
      headers: { ...headers, cookie: person.cookie },
    });
    expect([200, 202], answer.body).toContain(answer.statusCode);
  }
  const statuses = async () => {
    await addresses();
    const { emails } = await ask('GET', '/api/emails?limit=200');
    return Object.fromEntries(
      emails.map((one: { address: string; status: string }) => [one.address, one.status]),
    );
  };
  const unchecked = { options: { ...options, checkSuppressions: false } };

  it('stays out at the address that was meant, with the reason, and one that bounced does not', async () => {
    await suppress('jo@gmial.com', 'complained');
    await suppress('ann@gmial.com', 'bounced');
    await suppressHash('bea@gmial.com');
    const dry = await bring({ dryRun: true });
    expect(dry.check.counts).toMatchObject({ imported: 2, suppressed: 2 });
    const done = await bring();
    expect(done).toMatchObject({ imported: 2, suppressed: 2 });
    const { items } = await ask('GET', `/api/imports/${done.id}/rejected?fate=suppressed`);
    expect(items.map(({ why }: { why: string }) => why.split(' on ')[0])).toEqual([
      'Complained',
      'Unsubscribed',
    ]);
    expect(await statuses()).toEqual({ 'ann@gmail.com': 'active', 'cy@gmail.com': 'active' });
  });

  it('stays out with every row of theirs, whichever comes first', async () => {
    await suppress('jo@gmial.com', 'unsubscribed');
    const file = 'email\nJo@gmail.com\njo@gmial.com\nann@gmail.com\n';
    const reading = { mend: ['gmial.com'] };
    const answer = await importCsv(product.app, person.cookie, file, { options, reading });
    expect(answer.json()).toMatchObject({ imported: 1, suppressed: 2, duplicates: 0 });
    expect(await statuses()).toEqual({ 'ann@gmail.com': 'active' });
  });

  it('stays out where the whole domain with the slip is suppressed', async () => {
    await post('/api/suppressions/domain', { domain: 'gmial.com' });
    expect(await bring()).toMatchObject({ imported: 0, suppressed: 4 });
    expect(await statuses()).toEqual({});
  });

  it('takes the entry along when the list is not looked at', async () => {
    await suppress('jo@gmial.com', 'complained');
    await suppress('ann@gmial.com', 'bounced');
    await suppressHash('bea@gmial.com');
    await suppress('cy@gmail.com', 'manual');
    await suppress('cy@gmial.com', 'unsubscribed');
    expect(await bring(unchecked)).toMatchObject({ imported: 4, suppressed: 0 });
    expect(await statuses()).toEqual({
      'ann@gmail.com': 'active',
      'bea@gmail.com': 'suppressed',
      'cy@gmail.com': 'suppressed',
      'jo@gmail.com': 'suppressed',
    });
    const { items } = await ask('GET', '/api/suppressions/emails?search=gmail.com&limit=100');
    const told = items.map((one: { email: string; reason: string }) => `${one.email} ${one.reason}`);
    expect(told.sort()).toEqual([
      'bea@gmail.com unsubscribed',
      'cy@gmail.com unsubscribed',
      'jo@gmail.com complained',
    ]);
    const { emails } = await ask('GET', '/api/suppressions/summary');
    expect(emails).toEqual({ bounced: 1, complained: 2, unsubscribed: 3 });
  });

  it('takes the blocked domain along when the list is not looked at', async () => {
    await post('/api/suppressions/domain', { domain: 'gmial.com' });
    expect(await bring(unchecked)).toMatchObject({ imported: 4, suppressed: 0 });
    expect(new Set(Object.values(await statuses()))).toEqual(new Set(['suppressed']));
  });

  it('still takes a break or waits to leave there', async () => {
    const { workspaceId } = person;
    await product.database.asTenant(workspaceId, async (tx) => {
      await sql`
        insert into mailing_pauses (workspace_id, domain, local, until)
        values (${workspaceId}, 'gmial.com', 'jo', now() + interval '1 month')`.execute(tx);
      await sql`
        insert into leave_wishes (workspace_id, mailing_id, send_id, contact_id, local, domain)
        values (${workspaceId}, 1, 1, null, 'ann', 'gmial.com')`.execute(tx);
    });
    await bring();
    await product.database.asTenant(workspaceId, async (tx) => {
      const { rows } = await sql<{ who: string }>`
        select local || ' ' || domain as who from mailing_pauses where workspace_id = ${workspaceId}
        union all select local || ' ' || domain from leave_wishes where workspace_id = ${workspaceId} order by 1`.execute(
        tx,
      );
      expect(rows.map(({ who }) => who)).toEqual([
        'ann gmail.com',
        'ann gmial.com',
        'jo gmail.com',
        'jo gmial.com',
      ]);
    });
  });
});
