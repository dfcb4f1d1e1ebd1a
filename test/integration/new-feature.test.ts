import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConditionRule } from '#features/audience/rules/tree.ts';
import { condition } from '#features/audience/server/index.ts';
import { recordAudit } from '#features/audit/server/index.ts';
import { tasksPort } from '#features/tasks/server/index.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { migrateJobs } from '#platform/server/jobs.ts';
import type { NamedEndpoint } from '#platform/server/openapi.ts';
import { port } from '#platform/server/ports.ts';
import { eventOf } from '#platform/shared/contact-event.ts';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';
import { errorsWith } from '#platform/shared/errors.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { allEndpoints, apiDocument, features, sampleOf } from '#test/support/sample-calls.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// A feature that nothing else knows, declared here and added to the array. Everything it adds must
// work.

const pat = endpoint({
  method: 'POST',
  path: '/api/dogs/:id/pat',
  access: access.member('editor', 'dogs:write'),
  summary: 'Pats a dog.',
  tag: 'Dogs',
  params: idParams,
  response: z.object({ pats: z.number() }),
});
const walk = endpoint({
  method: 'POST',
  path: '/api/dogs/walk',
  access: access.member('editor', 'dogs:write'),
  summary: 'Walks all dogs, as a task.',
  tag: 'Dogs',
  response: z.looseObject({}),
});
const codes = { dog_asleep: 'conflict' } as const;
const dogError = errorsWith(codes);

const barked = eventOf('barked', { times: z.number() });
const boneRule: ConditionRule<'yes' | 'no'> = {
  key: 'bone',
  schema: z.enum(['yes', 'no']),
  bound: 'nothing',
  words: (value) => (value === 'yes' ? 'it has a bone' : 'it has no bone'),
};
/** True for the contacts whose name begins with a bone. */
const bone = condition(boneRule, (value) => sql`starts_with(c.local, 'bone') = ${value === 'yes'}`);
const wentHome = new Map<number, number>();
let isRunning = false;

const dogs = {
  name: 'dogs',
  contract: { pat, walk },
  errors: codes,
  eventKinds: [{ schema: barked, step: 200, order: 200 }],
  filters: {
    hasBone: { schema: z.enum(['yes', 'no']).describe('Whether it has a bone.'), condition: 'bone' },
  },
  words: {
    scopes: { 'dogs:write': { order: 200, words: 'Pat and walk dogs' } },
    audit: {
      areas: { dogs: { order: 200, label: 'Dogs' } },
      kinds: { dogs: ['dog'] },
      actions: { 'dog.patted': 'A dog was patted' },
      details: { pats: { order: 100, say: (value) => `${value} pats in all` } },
    },
  },
  create,
} satisfies ServerFeature;

function create({ db, use }: FeatureContext): FeatureParts {
  const tasks = use(tasksPort);
  let pats = 0;
  return {
    routes(router) {
      router.handle(pat, ({ workspaceId, params, caller }) =>
        db.asTenant(workspaceId, async (tx) => {
          if (params.id === 9) throw dogError('dog_asleep', 'Let sleeping dogs lie.');
          pats += 1;
          const line = { action: 'dog.patted', subject: `dog:${params.id}`, details: { pats } };
          await recordAudit(tx, workspaceId, { actor: caller.email, ...line });
          return { pats };
        }),
      );
      router.handle(walk, async (call) => {
        const { workspaceId, caller } = call;
        const task = await tasks.start(workspaceId, 'dogs.walk', { miles: 3 }, caller);
        return tasks.answer<Record<string, unknown>>(call, workspaceId, task);
      });
    },
    tasks: [
      {
        kind: 'dogs.walk',
        input: z.strictObject({ miles: z.number() }),
        title: () => 'Walk the dogs',
        run: async ({ input }) => {
          const { miles } = z.object({ miles: z.number() }).parse(input);
          return { miles };
        },
      },
    ],
    conditions: [bone],
    jobs: [{ name: 'dogs.feed', handler: async () => undefined }],
    nightly: [
      {
        name: 'dogs.go-home',
        run: async (workspaceId) => void wentHome.set(workspaceId, (wentHome.get(workspaceId) ?? 0) + 1),
      },
    ],
    contactEvents: {
      scope: 'dogs:write',
      tell: async (_tx, _workspaceId, { createdAt }) => [
        { kind: 'barked', at: new Date(createdAt).toISOString(), by: null, times: 2 },
      ],
    },
    figures: { campaigns: async () => 7 },
    start: () => {
      isRunning = true;
    },
    stop: () => {
      isRunning = false;
    },
  };
}

const missing = port<FeatureParts>('cats.milk');
const administrator = 'boss@kennel.co.uk';
let test: TestApp;
let person: SignedIn;

beforeAll(async () => {
  test = await openTestApp({ ADMIN_EMAIL: administrator }, { features: [...features, dogs] });
  person = await signUp(test.app, { email: administrator });
});
afterAll(() => test?.close());

const send = (
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  payload?: object,
  headers: object = { cookie: person.cookie },
) => test.app.inject({ method, url, headers: { ...headers }, ...(payload ? { payload } : {}) });
const key = async (...scopes: string[]) => {
  const made = await send('POST', '/api/keys', { name: 'Kennel', scopes });
  return { authorization: `Bearer ${made.json().key}` };
};

it('answers its call, to a person and to a key that has its scope', async () => {
  const { pats } = (await send('POST', '/api/dogs/1/pat')).json();
  expect(pats).toBeGreaterThan(0);
  const mine = await send('POST', '/api/dogs/1/pat', undefined, await key('dogs:write'));
  expect(mine.json()).toEqual({ pats: pats + 1 });
  const other = await send('POST', '/api/dogs/1/pat', undefined, await key('contacts:read'));
  expect(other.statusCode).toBe(403);
});

it('fails with its own code, and has the status of the code that it is a case of', async () => {
  const asleep = await send('POST', '/api/dogs/9/pat');
  expect([asleep.statusCode, asleep.json().code]).toEqual([409, 'dog_asleep']);
});

it('has its lines in the audit log under its area, in its words', async () => {
  const { pats } = (await send('POST', '/api/dogs/2/pat')).json();
  const { items } = (await send('GET', '/api/audit?area=dogs')).json();
  expect(items[0]).toMatchObject({ action: 'dog.patted', subject: 'dog:2', details: { pats } });
  const csv = (await send('GET', '/api/audit/export?area=dogs')).body;
  expect(csv).toContain(`A dog was patted,dog.patted,dog:2,${pats} pats in all`);
});

it('tells of a contact, and tells a key only with the scope it names', async () => {
  const { id } = (await send('POST', '/api/emails', { email: 'jo@acme.co.uk' })).json();
  const told = async (headers?: object) =>
    (await send('GET', `/api/emails/${id}/timeline`, undefined, headers))
      .json()
      .items.map(({ kind }: { kind: string }) => kind);
  expect(await told()).toContain('barked');
  expect(await told(await key('contacts:read'))).toEqual(['added']);
  expect(await told(await key('contacts:read', 'dogs:write'))).toEqual(['barked', 'added']);
});

it('adds its filter to the list, to a count and to what is done with many', async () => {
  for (const email of ['bone.ann@leeds.co.uk', 'bone.bob@leeds.co.uk', 'cat@leeds.co.uk'])
    expect((await send('POST', '/api/emails', { email })).statusCode).toBe(201);
  const list = async (query: string) => {
    const { emails } = (await send('GET', `/api/emails?sort=address&domain=leeds.co.uk&${query}`)).json();
    return emails.map(({ address }: { address: string }) => address);
  };
  expect(await list('hasBone=yes')).toEqual(['bone.ann@leeds.co.uk', 'bone.bob@leeds.co.uk']);
  expect(await list('hasBone=no&search=a')).toEqual(['cat@leeds.co.uk']);
  const filter = { hasBone: 'yes', search: 'ann' };
  expect((await send('POST', '/api/emails/count', { filter })).json()).toEqual({ count: 1 });
  expect((await send('DELETE', '/api/emails/bulk', { filter })).json()).toMatchObject({ removed: 1 });
  expect(await list('hasBone=yes')).toEqual(['bone.bob@leeds.co.uk']);
  const [line] = (await send('GET', '/api/audit?area=contacts')).json().items;
  expect(line).toMatchObject({ action: 'contacts.removed', details: { filter } });
});

/** What to send to a call that takes the filter. Undefined for other calls. */
function asking({ definition }: NamedEndpoint, filter: Record<string, string>, rows: Record<string, number>) {
  const { method, query, body } = definition;
  const path = definition.path.replace(':id', String(rows[definition.path.split('/')[2] ?? '']));
  const takes = (schema: unknown) =>
    schema instanceof z.ZodType &&
    JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).includes('"addedFrom"');
  if (takes(query)) return { method, url: `${path}?${new URLSearchParams(filter)}` };
  if (!takes(body)) return undefined;
  const more = sampleOf(definition).besidesFilter;
  const payload = body instanceof z.ZodObject ? { selection: { filter } } : { filter, ...more };
  return { method, url: path, payload };
}

it('adds its filter to every call that takes the filter, and no call takes an unknown one', async () => {
  const rows: Record<string, number> = {};
  for (const what of ['lists', 'tags'])
    rows[what] = (await send('POST', `/api/${what}`, { name: 'Puppies' })).json().id;
  const statuses = async (filter: Record<string, string>) => {
    const calls = allEndpoints([...features, dogs]).flatMap((one) => asking(one, filter, rows) ?? []);
    const headers = { cookie: person.cookie, prefer: 'respond-async' };
    const answers: [string, number][] = [];
    for (const call of calls)
      answers.push([
        `${call.method} ${call.url.split('?')[0]}`,
        (await test.app.inject({ ...call, headers })).statusCode,
      ]);
    return answers;
  };
  const known = await statuses({ hasBone: 'yes', search: 'nobody' });
  expect(known.map(([call]) => call)).toEqual(
    expect.arrayContaining([
      'GET /api/emails/export',
      'POST /api/verifications',
      'POST /api/suppressions/emails',
    ]),
  );
  expect(known.filter(([, status]) => status >= 300)).toEqual([]);
  const unknown = [...(await statuses({ hasBall: 'yes' })), ...(await statuses({ hasBone: 'maybe' }))];
  expect(unknown.filter(([, status]) => status !== 400)).toEqual([]);
});

it('does its long work, its jobs and its nightly work, and starts and stops with the product', async () => {
  await migrateJobs(test.ownerUrl);
  await test.startWork();
  expect(isRunning).toBe(true);
  expect((await send('POST', '/api/dogs/walk')).json()).toMatchObject({ miles: 3 });
  await test.nightly();
  expect(wentHome.get(person.workspaceId)).toBe(1);
  const { rows } = await sql<{ name: string }>`
    select name from pgboss.queue where name in ('dogs.feed', 'workspaces.nightly')
    order by name`.execute(test.owner.system);
  expect(rows.map(({ name }) => name)).toEqual(['dogs.feed', 'workspaces.nightly']);
  expect((await send('GET', '/api/admin/stats')).json()).toMatchObject({ campaignsToday: 7 });
});

it('stands in the API document with its calls, its scope, its code and its event', () => {
  const document = apiDocument([...features, dogs]);
  expect(document.paths['/api/dogs/{id}/pat'].post.security).toContainEqual({ key: ['dogs:write'] });
  expect(document.components.schemas.Error.properties.code.enum).toContain('dog_asleep');
  const text = JSON.stringify(document.paths);
  for (const word of ['dogs:write', 'barked', '"dogs"', 'Whether it has a bone.'])
    expect(text).toContain(word);
});

it.each<[string, ServerFeature, string]>([
  ['a scope that nobody declares', { ...dogs, words: {} }, 'dogs:write'],
  ['a feature listed twice', { ...dogs, name: 'audit' }, 'audit'],
  ['a filter whose name is taken', { name: 'cats', filters: { search: dogs.filters.hasBone } }, 'search'],
  ['a filter for no condition', { name: 'cats', filters: dogs.filters }, 'bone'],
  ['a port that nobody offers', { name: 'cats', create: ({ use }) => use(missing) }, 'cats.milk'],
])('does not start with %s', async (_what, feature, word) => {
  await expect(openTestApp({}, { features: [...features, feature] })).rejects.toThrow(word);
});
