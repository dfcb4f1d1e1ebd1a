import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { NamedEndpoint } from '#platform/server/openapi.ts';
import { type EndpointDefinition, errorBody } from '#platform/shared/contract.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { bookPrints } from '#test/support/book-prints.ts';
import { type OwnRows, ownRows, sameRows } from '#test/support/own-rows.ts';
import {
  allEndpoints,
  missingSample,
  nameOf,
  requestOf,
  type SampleCall,
  sampleOf,
} from '#test/support/sample-calls.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

/**
 * Sends every call what it was not made for: values outside its schema, and bodies that are hardly
 * JSON. The sender is the workspace's owner and the installation's administrator, so nothing fails
 * for lack of rights. The answer must never be a 500, always an error of the usual shape, and a
 * refused call must not change any table.
 */

const administrator = 'administrator@gmail.com';
let test: TestApp;
let me: SignedIn;
let rows: OwnRows;

beforeAll(async () => {
  test = await openTestApp({ ADMIN_EMAIL: administrator });
  test.tasks.startWork();
  me = await signUp(test.app, { email: administrator });
  await test.owner.system.updateTable('users').set({ email_verified: true }).execute();
  rows = sameRows(ownRows(test, me, 'millbank'));
});
afterAll(() => test?.close());

interface Sent {
  method: EndpointDefinition['method'];
  url: string;
  headers?: Record<string, string>;
  payload?: string | Buffer | object;
}

const send = (sent: Sent): Promise<LightMyRequestResponse> =>
  test.app.inject({ ...sent, headers: { ...sent.headers, cookie: me.cookie } });

/**
 * What is wrong with an answer to nonsense, with the request as sent. Undefined when all is well.
 */
function complaint(sent: Sent, answer: LightMyRequestResponse, mustBeRefused: boolean): string | undefined {
  const { statusCode: status } = answer;
  const isError = status >= 400;
  const isShaped = !isError || errorBody.strict().safeParse(parsed(answer.body)).success;
  const isSilent = !/\b(at \S+ \(|select |insert |node:|zod|postgres|syntax error)/i.test(
    isError ? answer.body : '',
  );
  // A link of an email is answered with a page or a picture, also when it leads nowhere.
  const isForReaders = /^(text\/html|image\/gif)/.test(String(answer.headers['content-type']));
  const isRefused = isError || !mustBeRefused;
  if (status < 500 && isSilent && (isForReaders || (isShaped && isRefused))) return undefined;
  const payload = Buffer.isBuffer(sent.payload)
    ? sent.payload.toString('latin1')
    : JSON.stringify(sent.payload);
  return `${sent.method} ${sent.url.slice(0, 500)} ${payload?.slice(0, 500) ?? ''} → ${status} ${answer.body.slice(0, 300)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Values that fit no field. */
const odd: unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  2 ** 31,
  2 ** 53,
  1e308,
  '',
  ' ',
  'NaN',
  '1e309',
  '-0',
  '0x10',
  '9'.repeat(400),
  'x'.repeat(20_000),
  '\0',
  'a\0b',
  '\ud800',
  'e\u0301\u202e\u200b',
  "'; drop table contacts; --",
  '%',
  '_\\',
  '{{7*7}}',
  '../../etc/passwd',
  '__proto__',
  [],
  [[]],
  [null],
  ['x', 'x'],
  Array.from({ length: 2000 }, (_, n) => n),
  {},
  { length: 5 },
  { constructor: { prototype: { isAdmin: true } } },
  { toString: null },
];
const oddValue = fc.oneof(
  fc.constantFrom(...odd),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);
const oddText = oddValue.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));

type Path = (string | number)[];

/** Every place in a value that could hold something else, including the whole value. */
function placesIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...at, key]))];
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  (copy as Record<string | number, unknown>)[key] = replaced((value as never)[key], rest, by);
  return copy;
}

const isTaken = (schema: unknown, value: unknown) =>
  !(schema instanceof z.ZodType) || schema.safeParse(value).success;

const anywhere = fc.nat({ max: 1000 });
const seed = 20_260_301;

/**
 * An address cannot carry strings with half a surrogate pair. A browser sends the replacement
 * character.
 */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

async function propertyHolds(
  arbitrary: fc.Arbitrary<{ sent: Sent; isTaken: boolean }>,
  numRuns: number,
  mostTaken = numRuns,
) {
  const requests = fc.sample(arbitrary, { seed, numRuns });
  const refused = requests.filter((request) => !request.isTaken);
  const before = await bookPrints(test);
  for (const { sent } of refused) expect(complaint(sent, await send(sent), true)).toBeUndefined();
  expect(await bookPrints(test), `changed by ${JSON.stringify(refused).slice(0, 3000)}`).toEqual(before);
  for (const { sent } of requests.filter((request) => request.isTaken).slice(0, mostTaken))
    expect(complaint(sent, await send(sent), false)).toBeUndefined();
}

const withBody = ({ body }: EndpointDefinition) => body instanceof z.ZodType;

async function sampleFor(definition: EndpointDefinition): Promise<SampleCall> {
  return (await sampleOf(definition).make?.(rows, me, test)) ?? {};
}

/** These would affect later calls: they sign the caller out, or remove them from the workspace. */
const endsTheCaller = new Set([
  'POST /api/team/leave',
  'POST /api/account/password',
  'POST /api/team/transfer',
  'POST /api/workspaces',
]);

const named = allEndpoints()
  .filter((endpoint) => missingSample(endpoint) === undefined)
  .map((endpoint): [string, NamedEndpoint] => [nameOf(endpoint.definition), endpoint]);

async function tryPath(definition: EndpointDefinition): Promise<void> {
  const sample = await sampleFor(definition);
  const requests = oddText.map((text) => {
    const params = Object.fromEntries(Object.keys(sample.params ?? {}).map((key) => [key, text]));
    const sent = requestOf(definition, { ...sample, params: {} });
    const url = definition.path.replace(/:\w+/g, encoded(text) || '%20');
    return { sent: { ...sent, url }, isTaken: isTaken(definition.params, params) };
  });
  await propertyHolds(requests, 30);
  for (const broken of ['%', '%zz', '%c3%28', '%00', '..%2f..%2fetc%2fpasswd', 'x'.repeat(3000)]) {
    const sent = { ...requestOf(definition, sample), url: definition.path.replace(/:\w+/g, broken) };
    expect(complaint(sent, await send(sent), true)).toBeUndefined();
  }
}

async function tryQuery(definition: EndpointDefinition): Promise<void> {
  const sample = await sampleFor(definition);
  const names = Object.keys((definition.query as z.ZodObject).shape);
  const query = fc.array(fc.tuple(fc.constantFrom(...names, 'unknown', '__proto__'), oddText), {
    minLength: 1,
    maxLength: 3,
  });
  const requests = query.map((pairs) => {
    const sent = requestOf(definition, { ...sample, query: {} });
    const text = pairs.map(([key, value]) => `${key}=${encoded(value)}`).join('&');
    return { sent: { ...sent, url: `${sent.url}${text}` }, isTaken: true };
  });
  await propertyHolds(requests, 40);
  for (const text of [
    '?%',
    '?a=%zz',
    `?${'a=1&'.repeat(3000)}`,
    `?${names[0]}=1&${names[0]}=2`,
    '?a[b]=1&a[]=2',
  ]) {
    const { url, ...rest } = requestOf(definition, { ...sample, query: {} });
    const sent = { ...rest, url: `${url.replace(/\?$/, '')}${text}` };
    expect(complaint(sent, await send(sent), false)).toBeUndefined();
  }
}

async function tryBody(name: string, definition: EndpointDefinition): Promise<void> {
  const sample = await sampleFor(definition);
  const body = sample.body ?? {};
  const places = placesIn(body);
  const request = requestOf(definition, sample);
  const asSent = (payload: unknown) => {
    const text = JSON.stringify(payload) ?? '';
    const json = { 'content-type': 'application/json' };
    const got = text === '' ? undefined : JSON.parse(text);
    const taken = isTaken(definition.body, got ?? {});
    return { sent: { ...request, headers: json, payload: text }, isTaken: taken };
  };
  const bent = fc
    .tuple(anywhere, oddValue)
    .map(([n, value]) => asSent(replaced(body, places[n % places.length] ?? [], value)));
  const lacking = anywhere.map((n) => asSent(replaced(body, places[n % places.length] ?? [], undefined)));
  const grown = fc.tuple(fc.string(), oddValue).map(([key, value]) => asSent({ ...body, [key]: value }));
  const all = fc.oneof({ arbitrary: bent, weight: 4 }, lacking, grown);
  const tried = endsTheCaller.has(name) ? all.filter(({ isTaken }) => !isTaken) : all;
  // Accepted calls do their work, and some of it takes a while.
  await propertyHolds(tried, 40, /imports|verifications/.test(name) ? 2 : 20);
}

async function tryHardlyJson(definition: EndpointDefinition): Promise<void> {
  const request = requestOf(definition, { ...(await sampleFor(definition)), form: undefined });
  const before = await bookPrints(test);
  for (const payload of hardlyJson) {
    const headers = { 'content-type': 'application/json' };
    const sent = { ...request, headers, payload };
    expect(complaint(sent, await send(sent), true)).toBeUndefined();
  }
  for (const type of ['text/xml', 'nonsense', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const sent = { ...request, headers: { 'content-type': type }, payload: '<a>x</a>' };
    expect(complaint(sent, await send(sent), true)).toBeUndefined();
  }
  expect(await bookPrints(test)).toEqual(before);
}

/** A key that the call does not know, such as a mistyped one, beside what is right. */
async function tryUnknownKey(definition: EndpointDefinition): Promise<void> {
  const request = requestOf(definition, await sampleFor(definition));
  const payload = { ...(request.payload as object | undefined), surprise: 1 };
  const before = await bookPrints(test);
  const answer = await send({ ...request, payload });
  expect({ status: answer.statusCode, ...answer.json() }).toMatchObject({
    status: 400,
    message: expect.stringContaining('“surprise”'),
  });
  expect(await bookPrints(test)).toEqual(before);
}

/** Other programs add what they like, and a form has fields of its own. */
const takesOtherKeys = ({ method, body, forStrangers }: EndpointDefinition): boolean =>
  method === 'GET' || forStrangers === true || (body !== undefined && 'multipart' in body);

/** A call without input cannot be given nonsense. */
const takesSomething = (definition: EndpointDefinition): boolean =>
  Boolean(definition.params || definition.query) || withBody(definition) || definition.method !== 'GET';

describe.each(named.filter(([, { definition }]) => takesSomething(definition)))(
  '%s',
  (name, { definition }) => {
    const { params, query, method } = definition;
    if (params) it('takes no nonsense in its path', () => tryPath(definition));
    if (query) it('takes no nonsense in its query', () => tryQuery(definition));
    if (withBody(definition)) it('takes no nonsense in its body', () => tryBody(name, definition));
    if (!takesOtherKeys(definition))
      it('takes no key that it does not know', () => tryUnknownKey(definition));
    if (method !== 'GET') it('takes no body that is hardly JSON', () => tryHardlyJson(definition));
  },
);

const hardlyJson: (string | Buffer)[] = [
  '{',
  '{"a":NaN}',
  '{"a":1e309',
  '[1,]',
  "{'a':1}",
  '\ufeff{',
  'undefined',
  `${'['.repeat(10_000)}`,
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0xc3, 0x28]),
  Buffer.alloc(200, 0),
  `"${'x'.repeat(10 * 1024 * 1024)}"`,
];

it('keeps keys that reach a prototype out, and withstands deep nesting', async () => {
  for (const payload of [
    '{"email":"deep@example.co.uk","__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
    `{"email":"deeper@example.co.uk","notes":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    `{"email":"deepest@example.co.uk","more":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
  ]) {
    const sent: Sent = {
      method: 'POST',
      url: '/api/emails',
      headers: { 'content-type': 'application/json' },
      payload,
    };
    expect(complaint(sent, await send(sent), false)).toBeUndefined();
  }
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});
