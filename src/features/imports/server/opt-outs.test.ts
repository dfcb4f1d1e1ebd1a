import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
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

const run = async (lines: string[], form: Parameters<typeof importCsv>[3] = {}) => {
  const answer = await importCsv(product.app, person.cookie, lines.join('\n'), form);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

async function get(url: string) {
  return (await product.app.inject({ url, headers: { cookie: person.cookie } })).json();
}

/** The list as it stands, and books that agree with it. */
async function listed(): Promise<string[]> {
  const { workspaceId } = person;
  return product.database.asTenant(workspaceId, async (tx) => {
    expect(await checkBooks(tx, workspaceId)).toEqual([]);
    const { rows } = await sql<{ entry: string }>`
      select concat_ws(' ', local || '@' || domain, reason, to_char(created_at at time zone 'Europe/London', 'YYYY-MM-DD')) as entry
      from suppressions where workspace_id = ${workspaceId} order by local, domain`.execute(tx);
    return rows.map(({ entry }) => entry);
  });
}

const today = new Date().toLocaleDateString('sv', { timeZone: 'Europe/London' });

const mailchimp = [
  'Email Address,First Name,Last Name,UNSUB_TIME,CLEAN_TIME',
  'ann@acme.co.uk,Ann,Lee,,',
  'bob@acme.co.uk,Bob,Hall,2024-03-12 10:01:02,',
  'cat@acme.co.uk,Cat,Fry,,2023-11-05 09:00:00',
  'dan@firma.de,Dan,Roth,2022-01-02 08:00:00,',
  'not-an-address,Eve,Poe,2022-01-02 08:00:00,',
];

const consentRule = { index: 3, values: { no: 'unsubscribed' }, mail: ['yes'] };

describe('columns that say who must not be mailed', () => {
  it('put people on the suppression list, with reason and date, British or not', async () => {
    const done = await run(mailchimp);
    expect(done).toMatchObject({ imported: 1, suppressed: 3, invalid: 1, nonUk: 0, newlySuppressed: 3 });
    expect(await listed()).toEqual([
      'bob@acme.co.uk unsubscribed 2024-03-12',
      'cat@acme.co.uk bounced 2023-11-05',
      'dan@firma.de unsubscribed 2022-01-02',
    ]);
    const { items } = await get(`/api/imports/${done.id}/rejected?fate=suppressed`);
    expect(items.map(({ why }: { why: string }) => why)).toEqual([
      'Unsubscribed on 12 Mar 2024, says the file',
      'Bounced on 5 Nov 2023, says the file',
      'Unsubscribed on 2 Jan 2022, says the file',
    ]);
    expect(await get(`/api/imports/${done.id}`)).toMatchObject({ newlySuppressed: 3 });
  });

  it('are shown before with their counts, and nothing is written', async () => {
    const { check } = await run(mailchimp, { dryRun: true });
    expect(check.counts).toMatchObject({ imported: 1, suppressed: 3 });
    expect(check.doNotMail).toMatchObject([
      { name: 'UNSUB_TIME', rows: 2 },
      { name: 'CLEAN_TIME', rows: 1, values: [{ value: '2023-11-05 09:00:00', rows: 1, reason: 'bounced' }] },
    ]);
    expect(check.columns.map(({ target }: { target: string }) => target).slice(3)).toEqual([
      'doNotMail',
      'doNotMail',
    ]);
    expect(await listed()).toEqual([]);
  });

  it('are heard also where they speak only far down the file', async () => {
    const lines = [
      'email,Status',
      ...Array.from({ length: 2_500 }, (_, n) => `p${n}@acme.co.uk,Active`),
      'late@acme.co.uk,Unsubscribed',
    ];
    const { check } = await run(lines, { dryRun: true });
    expect(check.doNotMail).toMatchObject([{ name: 'Status', rows: 1 }]);
    expect(await run(lines)).toMatchObject({ imported: 2_500, suppressed: 1, newlySuppressed: 1 });
  });

  it('can be left out of account', async () => {
    expect(await run(mailchimp, { reading: { doNotMail: [] } })).toMatchObject({
      imported: 3,
      suppressed: 0,
      nonUk: 1,
      newlySuppressed: 0,
    });
    expect(await listed()).toEqual([]);
  });

  it('hold for every row of the same person, whichever comes first', async () => {
    const done = await run([
      'email,status',
      'ann@acme.co.uk,Subscribed',
      'ANN@acme.co.uk,Unsubscribed',
      'bob@acme.co.uk,Bounced',
      'bob@acme.co.uk,Subscribed',
      'cat@acme.co.uk,Subscribed',
    ]);
    expect(done).toMatchObject({ imported: 1, suppressed: 4, duplicates: 0, newlySuppressed: 2 });
    expect(await listed()).toEqual([
      `ann@acme.co.uk unsubscribed ${today}`,
      `bob@acme.co.uk bounced ${today}`,
    ]);
  });

  it('suppress contacts who are here already, and leave older entries as they are', async () => {
    await run(['email', 'bob@acme.co.uk', 'cat@acme.co.uk', 'eve@acme.co.uk']);
    await product.app.inject({
      method: 'POST',
      url: '/api/suppressions/email/manual',
      headers: { cookie: person.cookie },
      payload: { email: 'cat@acme.co.uk' },
    });
    await product.app.inject({
      method: 'POST',
      url: '/api/suppressions/email/manual',
      headers: { cookie: person.cookie },
      payload: { email: 'dan@firma.de' },
    });
    expect(await run(mailchimp)).toMatchObject({ imported: 1, suppressed: 3, newlySuppressed: 1 });
    expect(await listed()).toContain(`cat@acme.co.uk manual ${today}`);
    // But that somebody has left is not forgotten.
    expect(await listed()).toContain(`dan@firma.de unsubscribed ${today}`);
    expect((await get('/api/emails?status=suppressed')).totalCount).toBe(2);
    expect((await get('/api/emails?status=active')).totalCount).toBe(2);
    // Nobody who was suppressed comes back when the import is undone.
    const { items } = await get('/api/imports');
    await product.app.inject({
      method: 'POST',
      url: `/api/imports/${items[0].id}/undo`,
      headers: { cookie: person.cookie },
    });
    expect(await listed()).toHaveLength(3);
  });

  it('hold with the check of the suppression list off, and with duplicates kept', async () => {
    const options = { checkSuppressions: false, removeDuplicates: false, validateEmails: false };
    expect(await run(mailchimp, { options })).toMatchObject({ imported: 1, suppressed: 4 });
    expect(await listed()).toContain(`not-an-address@ unsubscribed 2022-01-02`);
    expect(await get('/api/suppressions/emails?email=Not-An-Address')).toMatchObject({ totalCount: 1 });
  });

  it('are found below a title that speaks of an address', async () => {
    const file = ['Exported by admin@club.org.uk on 1 May', 'Email,Unsubscribed', 'ann@acme.co.uk,Yes'];
    expect(await run(file)).toMatchObject({ imported: 0, suppressed: 1, invalid: 0 });
    expect(await listed()).toEqual([`ann@acme.co.uk unsubscribed ${today}`]);
  });

  it('that hold ticks alone are asked about, and blank ones left out where somebody says so', async () => {
    const ticks = ['Email,Newsletter', 'ann@acme.co.uk,Yes', 'bob@acme.co.uk,', 'cat@acme.co.uk'];
    const { notes } = await run(ticks, { dryRun: true });
    const values = [
      { value: '', rows: 2 },
      { value: 'Yes', rows: 1 },
    ];
    expect(notes.unclear).toEqual([{ index: 1, name: 'Newsletter', values }]);
    const rule = { index: 1, values: { '': 'imported' }, mail: ['yes'], vocabulary: 'in' };
    const done = await run(ticks, { reading: { doNotMail: [rule] } });
    expect(done).toMatchObject({ imported: 1, suppressed: 2, notes: { unclear: [] } });
    expect(await listed()).toEqual([`bob@acme.co.uk imported ${today}`, `cat@acme.co.uk imported ${today}`]);
  });

  it('that hold ticks are asked about although the first blank cell stands far down', async () => {
    const rows = (from: number, to: number, tick: string) =>
      Array.from({ length: to - from }, (_, i) => `a${from + i}@acme.co.uk,${tick}`);
    const far = ['Email,Newsletter', ...rows(0, 2_500, 'Yes'), ...rows(2_500, 2_510, '')];
    const values = [
      { value: '', rows: 10 },
      { value: 'Yes', rows: 2_500 },
    ];
    const unclear = [{ index: 1, name: 'Newsletter', values }];
    const { check, notes } = await run(far, { dryRun: true });
    expect({ check: check.unclear, notes: notes.unclear }).toEqual({ check: unclear, notes: unclear });
    const rule = { index: 1, values: { '': 'imported' }, mail: ['yes'], vocabulary: 'in' };
    const told = await run(far, { dryRun: true, reading: { doNotMail: [rule] } });
    expect(told).toMatchObject({ suppressed: 10, check: { unclear: [] } });
  });

  it('that cannot be understood are named', async () => {
    const { check } = await run(['email,Unsubscribed', 'ann@acme.co.uk,P', 'bob@acme.co.uk,Q'], {
      dryRun: true,
    });
    expect(check.unclear).toMatchObject([{ name: 'Unsubscribed', values: [{ rows: 1 }, { rows: 1 }] }]);
    const rule = { index: 1, values: { q: 'unsubscribed' }, mail: ['p'] };
    const done = await run(['email,Unsubscribed', 'ann@acme.co.uk,P', 'bob@acme.co.uk,Q'], {
      reading: { doNotMail: [rule] },
    });
    expect(done).toMatchObject({ imported: 1, suppressed: 1 });
  });

  describe('by the target of a column', () => {
    const lines = [
      'email,Left on,Comment,Opted in',
      'ann@acme.co.uk,2024-02-03,fine,',
      'bob@acme.co.uk,,fine,no',
      'cat@acme.co.uk,no,fine,yes',
      'dan@firma.de,gone,fine,',
    ];

    it.each<[string, string[], object | undefined, number]>([
      ['a column that nobody recognises', ['skip', 'skip', 'doNotMail', 'skip'], undefined, 4],
      ['any filled cell but no', ['email', 'doNotMail', 'skip', 'doNotMail'], undefined, 3],
      ['a recognised one, by what it says', ['email', 'skip', 'skip', 'doNotMail'], undefined, 1],
      ['beside rules for other columns', ['email', 'doNotMail', 'skip', 'skip'], { doNotMail: [] }, 2],
      ['a recognised one that is left out', ['email', 'skip', 'skip', 'skip'], undefined, 0],
      ['a recognised one that is kept as something else', ['email', 'skip', 'skip', 'notes'], undefined, 0],
      ['rules alone', ['email', 'skip', 'skip', 'skip'], { doNotMail: [consentRule] }, 1],
    ])('%s', async (_, [, ...others], rules, suppressed) => {
      const reading = { columns: ['email', ...others], ...rules };
      const { check } = await run(lines, { dryRun: true, reading });
      expect(check.counts.suppressed).toBe(suppressed);
      // What a check shows as going to the suppression list goes there.
      const shown = check.columns.flatMap(({ target }: { target: string }, index: number) =>
        target === 'doNotMail' ? [index] : [],
      );
      const used = check.doNotMail.filter((view: { used: boolean }) => view.used);
      expect(used.map(({ rule }: { rule: { index: number } }) => rule.index)).toEqual(shown);
      const done = await run(lines, { reading });
      expect(done).toMatchObject({ suppressed, newlySuppressed: suppressed });
      expect(await listed()).toHaveLength(suppressed);
    });

    it('with the day that stands there', async () => {
      await run(lines, { reading: { columns: ['email', 'doNotMail', 'skip', 'skip'] } });
      expect(await listed()).toEqual([
        'ann@acme.co.uk imported 2024-02-03',
        `dan@firma.de imported ${today}`,
      ]);
    });

    it('stands where the column was kept anyway, and goes when it is left out', async () => {
      const allowedColumns = ['email', 'opted in'];
      const answer = await product.app.inject({
        method: 'PATCH',
        url: '/api/settings',
        headers: { cookie: person.cookie },
        payload: { import: { allowedColumns } },
      });
      expect(answer.statusCode, answer.body).toBe(200);
      const { check } = await run(lines, { dryRun: true });
      const targets: string[] = check.columns.map(({ target }: { target: string }) => target);
      expect(targets).toEqual(['email', 'skip', 'skip', 'extra:opted in']);
      expect(check.counts.suppressed).toBe(1);
      const kept = ['email', 'skip', 'notes', 'extra:opted in'];
      expect(await run(lines, { reading: { columns: kept } })).toMatchObject({ suppressed: 1 });
    });
  });

  it('are refused when they are no rule', async () => {
    for (const doNotMail of [[{ index: -1 }], [{ index: 0, values: { x: 'bored' }, mail: [] }], 'all', [7]]) {
      const answer = await importCsv(product.app, person.cookie, 'email\na@acme.co.uk', {
        reading: { doNotMail },
      });
      expect(answer.statusCode).toBe(400);
    }
  });

  it('two imports at once put each person on the list once', async () => {
    const many = ['email,Unsubscribed', ...Array.from({ length: 200 }, (_, n) => `p${n}@acme.co.uk,yes`)];
    const both = await Promise.all([run(many), run([...many].reverse().toReversed())]);
    expect(both[0].newlySuppressed + both[1].newlySuppressed).toBe(200);
    expect(await listed()).toHaveLength(200);
  });
});

describe('names in a file', () => {
  it('fill first and last name from either form', async () => {
    await run([
      'email,First Name,Last Name',
      'ann@acme.co.uk,Ann,Lee',
      'bob@acme.co.uk,,Hall',
      'cat@acme.co.uk,,',
    ]);
    await run([
      'email,name',
      'dan@acme.co.uk,"Roth, Dan"',
      'eve@acme.co.uk,Eve Poe',
      'fox@acme.co.uk,Fox Ltd',
    ]);
    const { emails } = await get('/api/emails?limit=200');
    const names = emails.map(
      (contact: { name: string; firstName: string; lastName: string }) =>
        `${contact.name} = ${contact.firstName} + ${contact.lastName}`,
    );
    expect(names.sort()).toEqual([
      'Ann Lee = Ann + Lee',
      'Eve Poe = Eve + Poe',
      'Fox Ltd = null + null',
      'Hall = null + Hall',
      'Roth, Dan = Dan + Roth',
      'null = null + null',
    ]);
  });
});
