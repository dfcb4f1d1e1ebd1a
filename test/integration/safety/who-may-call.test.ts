import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NamedEndpoint } from '#platform/server/openapi.ts';
import {
  type Access,
  type EndpointDefinition,
  type Role,
  roles,
  scopesOf,
} from '#platform/shared/contract.ts';
import { allScopes } from '#platform/shared/feature-words.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { bookPrints } from '#test/support/book-prints.ts';
import { type OwnRows, ownRows, sameRows } from '#test/support/own-rows.ts';
import {
  allEndpoints,
  features,
  leftOverSamples,
  missingSample,
  nameOf,
  requestOf,
  type SampleCall,
  sampleOf,
} from '#test/support/sample-calls.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';

/**
 * Every call by everybody, on rows of their own workspace and of another. The expected answer
 * depends only on the call's `access`, so a new call is tested as soon as its feature is in
 * `src/apps/features.ts`.
 */

/** Text in every row of the other workspace. No answer to anybody of this one may contain it. */
const theirMark = 'canary';

interface Someone {
  name: string;
  /** Whether their current workspace is the one whose rows are "mine". */
  isMember: boolean;
  headers: Record<string, string>;
  person: SignedIn | null;
  mayCall(access: Access): true | 401 | 403;
  /** Another person of the same kind, for calls that change the caller. */
  again?(): Promise<SignedIn>;
}

const scopes = allScopes(features.map(({ words }) => words ?? {})).map(({ scope }) => scope);

let test: TestApp;
/** Rows that no call may change. The calls tried on them are refused or only read. */
let mine: OwnRows;
let theirs: OwnRows;
/** New rows each time. */
let fresh: OwnRows;
let everybody: Someone[];

beforeAll(async () => {
  const administrator = 'administrator@gmail.com';
  test = await openTestApp({ ADMIN_EMAIL: administrator }, { apiKeyLimit: 100_000 });
  test.tasks.startWork();
  const me = await signUp(test.app);
  const them = await signUp(test.app, { name: `${theirMark} Jones`, email: `${theirMark}@gmail.com` });
  fresh = ownRows(test, me, 'millbank');
  mine = sameRows(fresh);
  theirs = sameRows(ownRows(test, them, theirMark));
  const boss = await signUp(test.app, { email: administrator });
  await test.owner.system
    .updateTable('users')
    .set({ email_verified: true })
    .where('email', '=', administrator)
    .execute();
  everybody = [
    { name: 'somebody signed out', isMember: false, headers: {}, person: null, mayCall: signedOutMay },
    ...(await Promise.all(roles.map(member))),
    outsider('somebody of another workspace', them),
    { ...outsider('the administrator', boss), mayCall: () => true },
    ...(await Promise.all(scopes.map((scope) => keyHolder(`a key for ${scope}`, me, [scope])))),
    await keyHolder('a key for everything', me, [...scopes]),
    await keyHolder("another workspace's key for everything", them, [...scopes]),
  ];
}, 120_000);
afterAll(() => test?.close());

const signedOutMay = ({ kind }: Access) => (kind === 'public' ? true : 401);

async function member(role: Role): Promise<Someone> {
  const again = () => signUpMember(test.app, test.database, { workspaceId: mine.owner.workspaceId, role });
  const person = await again();
  return {
    name: `the ${role}`,
    isMember: true,
    headers: { cookie: person.cookie },
    person,
    again,
    mayCall: (access) =>
      access.kind === 'admin' ||
      (access.kind === 'member' && roles.indexOf(role) < roles.indexOf(access.role))
        ? 403
        : true,
  };
}

function outsider(name: string, person: SignedIn): Someone {
  const mayCall = ({ kind }: Access) => (kind === 'admin' ? 403 : true);
  return { name, isMember: false, headers: { cookie: person.cookie }, person, mayCall };
}

async function keyHolder(name: string, owner: SignedIn, held: string[]): Promise<Someone> {
  const answer = await test.app.inject({
    method: 'POST',
    url: '/api/keys',
    headers: { cookie: owner.cookie },
    payload: { name, scopes: held },
  });
  return {
    name,
    isMember: owner === mine.owner,
    headers: { authorization: `Bearer ${answer.json().key}` },
    person: null,
    mayCall: (access) => {
      if (access.kind === 'public') return true;
      const needed = scopesOf(access);
      return needed.length > 0 && needed.every((scope) => held.includes(scope)) ? true : 403;
    },
  };
}

async function call(definition: EndpointDefinition, sample: SampleCall, headers: Someone['headers']) {
  const request = requestOf(definition, sample);
  return test.app.inject({ ...request, headers: { ...request.headers, ...headers } });
}

/** An answer in the words of a failed test. */
const told = (who: Someone, whose: string, { statusCode, body }: { statusCode: number; body: string }) =>
  `${who.name}, ${whose} rows: ${statusCode}${statusCode >= 400 ? ` ${body.slice(0, 200)}` : ''}`;

type Answer = Awaited<ReturnType<typeof call>>;

/** A sentence if the answer is not the expected one, otherwise nothing. */
const unless = (isRight: boolean, who: Someone, whose: string, answer: Answer): string[] =>
  isRight ? [] : [told(who, whose, answer)];

/** Everybody who may not make the call, tried in turn on the same rows. */
async function tryRefused(definition: EndpointDefinition): Promise<string[]> {
  const { make } = sampleOf(definition);
  const refused = everybody.filter(({ mayCall }) => mayCall(definition.access) !== true);
  if (refused.length === 0) return [];
  const sample = (await make?.(mine, mine.owner, test)) ?? {};
  const before = await bookPrints(test);
  const wrong: string[] = [];
  for (const who of refused) {
    const answer = await call(definition, sample, who.headers);
    const isRight = answer.statusCode === who.mayCall(definition.access);
    wrong.push(...unless(isRight && typeof answer.json().message === 'string', who, 'my', answer));
  }
  expect(await bookPrints(test), 'a call that was refused changed something').toEqual(before);
  return wrong;
}

/**
 * The people who may make the call, on rows of their own workspace. For changes by members, only
 * the weakest and the strongest role are tried: each role includes the ones before it, and new rows
 * for each would take time.
 */
function thoseToTry({ method, access }: EndpointDefinition): Someone[] {
  const allowed = everybody.filter(
    (who) => who.mayCall(access) === true && (who.isMember || access.kind !== 'member'),
  );
  const members = allowed.filter((who) => who.isMember && who.again);
  const between = method === 'GET' ? [] : members.slice(1, -1);
  return allowed.filter((who) => !between.includes(who));
}

async function tryAllowed(definition: EndpointDefinition): Promise<string[]> {
  const { make, answers, changesCaller } = sampleOf(definition);
  const wrong: string[] = [];
  for (const who of thoseToTry(definition)) {
    let { headers, person } = who;
    if (changesCaller && definition.access.kind !== 'public') {
      person = (await who.again?.()) ?? (await signUp(test.app));
      headers = { cookie: person.cookie };
    }
    const ours = definition.method === 'GET' ? mine : fresh;
    const rows = who.isMember || person === null ? ours : ownRows(test, person, 'elsewhere');
    const answer = await call(definition, (await make?.(rows, person ?? mine.owner, test)) ?? {}, headers);
    const { statusCode: status } = answer;
    wrong.push(...unless(answers ? status === answers : status >= 200 && status < 400, who, 'own', answer));
    if (who.isMember && answer.body.includes(theirMark)) wrong.push(`${who.name} is shown their rows`);
  }
  return wrong;
}

/** The people who may make the call, but on rows of a workspace that is not theirs. */
async function tryForeign(definition: EndpointDefinition): Promise<string[]> {
  const { make, ofCaller, withTheirs = 404 } = sampleOf(definition);
  if (!make || definition.access.kind === 'public' || definition.access.kind === 'admin') return [];
  const wrong: string[] = [];
  for (const [rows, isMember] of [
    [theirs, true],
    [mine, false],
  ] as const) {
    const asked = rows.asked;
    const sample = await make(rows, rows.owner, test);
    if (rows.asked === asked && !ofCaller) return [];
    const before = await bookPrints(test, rows.owner.workspaceId);
    for (const who of everybody) {
      if (who.mayCall(definition.access) !== true || who.isMember !== isMember) continue;
      const answer = await call(definition, sample, who.headers);
      wrong.push(...unless(answer.statusCode === withTheirs, who, 'foreign', answer));
      if (isMember && answer.body.includes(theirMark)) wrong.push(`${who.name} is shown their rows`);
    }
    const after = await bookPrints(test, rows.owner.workspaceId);
    expect(after, 'a call changed another workspace').toEqual(before);
  }
  return wrong;
}

const endpoints = allEndpoints();

it('has a sample of every call that takes something', () => {
  expect(endpoints.length).toBeGreaterThan(90);
  expect(endpoints.map(missingSample).filter(Boolean)).toEqual([]);
  expect(leftOverSamples(endpoints)).toEqual([]);
});

const named = endpoints
  .filter((endpoint) => missingSample(endpoint) === undefined)
  .map((endpoint): [string, NamedEndpoint] => [nameOf(endpoint.definition), endpoint]);

describe.each(named)('%s', { timeout: 60_000 }, (_, { definition }) => {
  it('is refused to everybody whom its access leaves out, and changes nothing for them', async () => {
    expect(await tryRefused(definition)).toEqual([]);
  });
  it('is open to everybody else, on rows of their own', async () => {
    expect(await tryAllowed(definition)).toEqual([]);
  });
  it("touches and shows nobody else's rows", async () => {
    expect(await tryForeign(definition)).toEqual([]);
  });
});
