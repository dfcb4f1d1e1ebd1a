import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { operators } from '../rules/operators.ts';
import { segmentsPort } from './index.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let test: TestApp;
let person: SignedIn;

beforeAll(async () => {
  test = await openTestApp();
  person = await signUp(test.app);
  const csv = [
    'email,first name,source,Town',
    'ann@acme.co.uk,Ann,Trade fair,York',
    'bob@acme.co.uk,Bob,Website,Newcastle',
    'zoe@shop.co.uk,Zoë,Website,',
    'tom@shop.co.uk,Tom,,York',
    'jane@bbc.com,Jane,Website,Leeds',
  ];
  const options = { filterNonUk: false };
  const reading = { columns: ['email', 'firstName', 'source', 'extra:Town'] };
  const answer = await importCsv(test.app, person.cookie, csv.join('\n'), { options, reading });
  expect(answer.json()).toMatchObject({ imported: 5 });
  await send('POST', '/api/suppressions/email/manual', { email: 'bob@acme.co.uk' });
});
afterAll(() => test?.close());

async function send(method: 'GET' | 'POST', url: string, payload?: object, who = person) {
  const headers = { cookie: who.cookie };
  const answer = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}
const preview = (segmentRules: object, more: object = {}) =>
  send('POST', '/api/segments/preview', { segmentRules, ...more });
const rule = (field: string, operator: string, value?: string | string[]) => ({
  field,
  operator,
  ...(value === undefined ? {} : { value }),
});
const oneDomainRule = { conditions: [rule('domain', 'contains', 'acme')] };
const idOf = async (address: string) =>
  (await send('GET', `/api/emails?search=${encodeURIComponent(address)}`)).body.emails[0].id as number;

describe('a preview', () => {
  it('counts whom rules mean, step by step, by status, and shows them', async () => {
    const { status, body } = await preview({
      conditions: [rule('uk', 'one_of', ['uk', 'likely_uk']), rule('source', 'equals', 'website')],
      groups: [
        { match: 'any', conditions: [rule('domain', 'equals', '@acme.co.uk'), rule('name', 'is_empty')] },
      ],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      words:
        'UK or likely UK contacts whose source is “website” and (whose domain is “@acme.co.uk” or without a name)',
      all: 5,
      total: { count: 1, isEstimate: false },
      statuses: { active: 0, suppressed: 1, invalid: 0, duplicate: 0, isEstimate: false },
      steps: { conditions: [5, 3], groups: [{ count: 1, conditions: [1, 0] }], isEstimate: false },
    });
    expect(body.sample.map((one: { address: string }) => one.address)).toEqual(['bob@acme.co.uk']);
  });

  it('takes the rules as specified, all of which have to be true', async () => {
    const conditions = [
      rule('attributes.Town', 'starts_with', 'yo'),
      rule('status', 'not_equals', 'suppressed'),
      rule('createdAt', 'is_not_empty', ''),
    ];
    const { body } = await preview({ conditions });
    expect(body.total).toEqual({ count: 2, isEstimate: false });
    expect(body.steps.conditions).toEqual([2, 2, 2]);
  });

  it('means every contact without a condition, and where none has to be true, those that are left', async () => {
    expect((await preview({})).body).toMatchObject({ words: 'Every contact', total: { count: 5 } });
    const none = {
      match: 'none',
      conditions: [rule('attributes.Town', 'equals', 'york'), rule('firstName', 'contains', 'zo')],
    };
    expect((await preview(none)).body).toMatchObject({ total: { count: 2 }, steps: { conditions: [3, 2] } });
    const any = { match: 'any', conditions: none.conditions };
    expect((await preview(any)).body).toMatchObject({ total: { count: 3 }, steps: { conditions: [2, 1] } });
  });

  it('says the same as the count', async () => {
    const segmentRules = {
      conditions: [rule('verdict', 'is_not_empty'), rule('kind', 'equals', 'corporate')],
    };
    const { body } = await send('POST', '/api/segments/count', { segmentRules });
    expect((await preview(segmentRules)).body.total.count).toBe(body.count);
  });

  it('knows nobody’s activity, as nothing reports any', async () => {
    expect((await preview({ conditions: [rule('lastActivity', 'is_empty')] })).body.total.count).toBe(5);
    expect(
      (await preview({ conditions: [rule('lastActivity', 'in_last_days', '30')] })).body.total.count,
    ).toBe(0);
  });

  it('finds those of an import, and refuses one of another workspace', async () => {
    const { rows } = await sql<{
      id: number;
    }>`select id from imports where workspace_id = ${person.workspaceId}`.execute(test.owner.system);
    const mine = String(rows[0]?.id);
    expect((await preview({ conditions: [rule('import', 'equals', mine)] })).body.total.count).toBe(5);
    const other = await signUp(test.app);
    const { status, body } = await send(
      'POST',
      '/api/segments/preview',
      { segmentRules: { conditions: [rule('import', 'equals', mine)] } },
      other,
    );
    expect(status).toBe(400);
    expect(body.message).toContain('It was deleted, or never was.');
  });
});

describe('what cannot be understood', () => {
  it.each([
    [
      { conditions: [rule('favouriteColour', 'equals', 'blue')] },
      '“favouriteColour” is no field of contacts. There are: status, ',
    ],
    [{ conditions: [rule('domain', 'resembles', 'a')] }, '“resembles” is no operator.'],
    [
      { conditions: [rule('status', 'equals', 'banana')] },
      'Email Status: “banana” is none of those there are.',
    ],
    [{ conditions: [rule('domain', 'contains', ' ')] }, 'Email Domain: “contains” needs a value.'],
    [
      { conditions: [rule('createdAt', 'before', '2026-02-30')] },
      '“2026-02-30” is no day. Write it like 2026-11-01.',
    ],
    [{ conditions: [rule('createdAt', 'in_last_days', '0')] }, '“0” is no number of days.'],
    [{ conditions: [rule('createdAt', 'before', ['2026-02-01', '2026-02-02'])] }, 'takes one value, not 2'],
    [{ conditions: [rule('risk', 'greater', 'high')] }, 'Risk: “high” is no number.'],
    [{ conditions: [rule('risk', 'contains', '5')] }, 'Risk: it cannot be asked whether it contains.'],
    [
      { conditions: Array(10_000).fill(rule('domain', 'contains', 'a')) },
      'A segment has at most 100 conditions.',
    ],
    [
      { groups: Array(51).fill({ conditions: [rule('name', 'is_empty'), rule('name', 'is_empty')] }) },
      'A segment has at most 100 conditions, those in groups included.',
    ],
    [{ conditions: [rule('domain', 'contains', 'x'.repeat(1001))] }, 'A value has at most 1000 characters.'],
    [{ conditions: [rule('domain', 'contains', 'a\0b')] }, 'This text has a broken character.'],
    [{ groups: [{ conditions: [] }] }, 'A group has at least one condition.'],
    [{ groups: [{ conditions: [rule('name', 'is_empty')], groups: [] }] }, 'groups'],
    [{ conditions: Array(4).fill(rule('kind', 'is_empty')) }, 'Kind of Address: it is asked too often.'],
  ])('is refused with a sentence: %j', async (segmentRules, sentence) => {
    const started = performance.now();
    const { status, body } = await preview(segmentRules);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(sentence);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('takes a hundred conditions of a thousand characters', async () => {
    const conditions = Array.from({ length: 100 }, (_, n) =>
      rule('source', 'not_contains', `${n}${'x'.repeat(990)}`),
    );
    expect((await preview({ conditions })).body.total.count).toBe(5);
  });
});

describe('an explanation', () => {
  it('tells of each condition whether it holds, and what the contact has', async () => {
    const segmentRules = {
      conditions: [rule('status', 'equals', 'active'), rule('uk', 'equals', 'uk')],
      groups: [
        { match: 'any', conditions: [rule('attributes.Town', 'equals', 'York'), rule('source', 'is_empty')] },
      ],
    };
    const contactId = await idOf('bob@acme.co.uk');
    const { body } = await send('POST', '/api/segments/explain', { segmentRules, contactId });
    expect(body).toMatchObject({
      isIn: false,
      conditions: [
        { holds: false, words: 'whose status is active', has: ['Suppressed'] },
        { holds: true, has: ['UK'] },
      ],
      groups: [
        {
          holds: false,
          conditions: [
            { holds: false, has: ['Newcastle'] },
            { holds: false, has: ['Website'] },
          ],
        },
      ],
    });
    expect(body.why).toContain('bob@acme.co.uk is not in');
    const tom = await send('POST', '/api/segments/explain', {
      segmentRules,
      contactId: await idOf('tom@shop.co.uk'),
    });
    expect(tom.body).toMatchObject({ isIn: true, groups: [{ holds: true }] });
  });

  it('names the one condition that keeps a contact out', async () => {
    const segmentRules = { conditions: [rule('status', 'equals', 'active'), rule('uk', 'equals', 'uk')] };
    const contactId = await idOf('jane@bbc.com');
    const { body } = await send('POST', '/api/segments/explain', { segmentRules, contactId });
    expect(body).toMatchObject({
      isIn: false,
      why: 'jane@bbc.com is not in, because of one condition: “whose UK class is UK”.',
    });
  });

  it.each([
    [
      'the condition that holds in a group of which none may',
      {
        conditions: [rule('firstName', 'contains', 'bob')],
        groups: [
          {
            match: 'none',
            conditions: [rule('source', 'equals', 'Website'), rule('attributes.Town', 'equals', 'York')],
          },
        ],
      },
      'because one condition holds: “whose source is “Website””.',
    ],
    [
      'no condition of a group that is fulfilled',
      {
        groups: [
          {
            match: 'any',
            conditions: [rule('attributes.Town', 'equals', 'York'), rule('source', 'equals', 'Website')],
          },
          { match: 'none', conditions: [rule('firstName', 'equals', 'Bob')] },
        ],
      },
      'because one condition holds: “whose first name is “Bob””.',
    ],
    [
      'the condition that does not hold in a group of which all must',
      {
        conditions: [rule('domain', 'equals', 'acme.co.uk')],
        groups: [{ conditions: [rule('source', 'equals', 'Website'), rule('status', 'equals', 'active')] }],
      },
      'because of one condition: “whose status is active”.',
    ],
    [
      'the one that holds in a group that must not, and one is enough for it',
      {
        match: 'none',
        groups: [
          {
            match: 'any',
            conditions: [rule('attributes.Town', 'equals', 'York'), rule('source', 'equals', 'Website')],
          },
        ],
      },
      'because one condition holds: “whose source is “Website””.',
    ],
  ])('names %s', async (_, segmentRules, words) => {
    const contactId = await idOf('bob@acme.co.uk');
    const { body } = await send('POST', '/api/segments/explain', { segmentRules, contactId });
    expect(body).toMatchObject({ isIn: false, why: `bob@acme.co.uk is not in, ${words}` });
  });

  it.each([
    [
      'two of a group are enough alone',
      {
        groups: [
          {
            match: 'any',
            conditions: [rule('attributes.Town', 'equals', 'York'), rule('source', 'equals', 'Trade fair')],
          },
        ],
      },
    ],
    [
      'a condition and a group are wrong',
      {
        conditions: [rule('status', 'equals', 'active')],
        groups: [{ match: 'none', conditions: [rule('source', 'equals', 'Website')] }],
      },
    ],
  ])('names none where %s', async (_, segmentRules) => {
    const contactId = await idOf('bob@acme.co.uk');
    const { body } = await send('POST', '/api/segments/explain', { segmentRules, contactId });
    expect(body.isIn).toBe(false);
    expect(body.why).toMatch(/^bob@acme\.co\.uk is not in: “.*” is not true of it\.$/);
  });

  it('does not know another workspace’s contact', async () => {
    const other = await signUp(test.app);
    const contactId = await idOf('ann@acme.co.uk');
    expect((await send('POST', '/api/segments/explain', { segmentRules: {}, contactId }, other)).status).toBe(
      404,
    );
  });
});

it('offers the specified fields with the eight operators, those of features, and imported columns', async () => {
  const { body } = await send('GET', '/api/segments/fields');
  const byKey = new Map(body.fields.map((one: { key: string }) => [one.key, one]));
  for (const [key, label] of [
    ['status', 'Email Status'],
    ['domain', 'Email Domain'],
    ['source', 'Import Source'],
    ['tags', 'Tags'],
    ['createdAt', 'Date Added'],
    ['lastActivity', 'Last Activity'],
  ] as const) {
    expect(byKey.get(key)).toMatchObject({ label });
    expect((byKey.get(key) as { operators: string[] }).operators).toEqual(
      expect.arrayContaining(operators.slice(0, 8)),
    );
  }
  expect(byKey.get('import')).toMatchObject({ options: [{ label: 'list.csv' }] });
  expect(byKey.get('attributes.Town')).toMatchObject({ type: 'any', options: null });
  expect([...byKey.keys()]).toEqual(
    expect.arrayContaining(['uk', 'kind', 'verdict', 'reason', 'risk', 'name', 'firstName', 'lastName']),
  );
});

it.each([
  ['a quick preview', () => preview(oneDomainRule, { quick: true })],
  [
    'an explanation',
    async () => {
      const contactId = await idOf('ann@acme.co.uk');
      return send('POST', '/api/segments/explain', { segmentRules: oneDomainRule, contactId });
    },
  ],
])('adds up no figures of domains for %s of one rule about the domain', async (_, ask) => {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const { status } = await ask();
  const statements = query.mock.calls.map(([asked]) => String(asked));
  query.mockRestore();
  expect(status).toBe(200);
  expect(statements.some((one) => one.includes('from contacts c'))).toBe(true);
  expect(statements.filter((one) => one.includes('sum(') && one.includes('contact_domains'))).toEqual([]);
});

describe('many contacts', () => {
  it('are estimated at once, and counted exactly after', async () => {
    const owner = await signUp(test.app);
    await sql`
      insert into contacts (workspace_id, local, domain, name)
      select ${owner.workspaceId}::bigint, 'p' || n, 'acme.co.uk', case when n % 4 = 0 then 'Ann' end
      from generate_series(1, 40000) n`.execute(test.owner.system);
    await sql`
      insert into contact_counts (workspace_id, active, suppressed, invalid, duplicate, domains)
      values (${owner.workspaceId}, 40000, 0, 0, 0, 1)
      on conflict (workspace_id) do update set active = 40000`.execute(test.owner.system);
    const segmentRules = { conditions: [rule('name', 'equals', 'ANN')] };
    const ask = (more: object) => send('POST', '/api/segments/preview', { segmentRules, ...more }, owner);
    const quick = (await ask({ quick: true })).body;
    expect(quick.total.isEstimate).toBe(true);
    expect(Math.abs(quick.total.count - 10_000)).toBeLessThan(600);
    const exact = (await ask({})).body;
    expect(exact).toMatchObject({ all: 40_000, total: { count: 10_000, isEstimate: false } });
    const ids = (answer: { sample: { id: number }[] }) => answer.sample.map(({ id }) => id);
    expect(ids(exact)).toHaveLength(10);
    expect(ids((await ask({ seed: 2 })).body)).not.toEqual(ids(exact));
    expect(exact.sample.every((one: { name: string }) => one.name === 'Ann')).toBe(true);
  });
});

it('tells features that keep rules what is wrong with them', async () => {
  const segments = test.use(segmentsPort);
  const { workspaceId } = person;
  const problem = (field: string, value: string) =>
    test.database.asTenant(workspaceId, (tx) =>
      segments.problem(tx, workspaceId, { conditions: [{ field, operator: 'equals', value }] }),
    );
  expect(await problem('status', 'active')).toBeNull();
  expect(await problem('import', '99999')).toContain('It was deleted, or never was.');
});
