import fc from 'fast-check';
import type { TestApp } from '#test/support/app.ts';
import type { SignedIn } from '#test/support/sign-in.ts';

/** What all random pieces of work are drawn from and done by. */

export const domains = [
  ...['acme.co.uk', 'north.acme.co.uk', 'shop.uk', 'gov.scot', 'kent.sch.uk', 'btinternet.com'],
  ...['gmail.com', 'googlemail.com', 'gmial.com', 'mailinator.com', 'firma.de', 'nowhere'],
];
export const pick = fc.nat(50);
export const domain = fc.constantFrom(...domains.slice(0, -1));
export const filter = fc.record(
  {
    status: fc.constantFrom('active', 'suppressed', 'invalid', 'duplicate'),
    domain,
    verdict: fc.constantFrom('valid', 'risky', 'invalid'),
    uk: fc.constantFrom('uk', 'likely_uk', 'global', 'not_uk'),
    kind: fc.constantFrom('free', 'corporate', 'role', 'disposable', 'academic', 'government'),
    search: fc.constantFrom('ann', 'acme', '@g'),
  },
  { requiredKeys: [] },
);

export const does = <Name extends string>(name: Name) => ({ does: fc.constant(name) });
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Calls in the name of one person. */
export interface Calls {
  product: TestApp;
  person: SignedIn;
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows what its call answers
  send(method: Method, url: string, payload?: object): Promise<{ status: number; body: any }>;
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows what its call answers
  read(url: string): Promise<any>;
  /** What the administrator and a metrics collector read. */
  readInstallation(): Promise<{ emailsProcessed: number; metrics: string }>;
  /** The numbers of liftings so far, to be undone. */
  liftings: number[];
  /** The same of changes of lists, tags and marketing bases. */
  memberships: number[];
  bases: number[];
  /** Lists and tags that were deleted: `/api/tags/7`. */
  deleted: string[];
  /** What was compared and cannot change any more. */
  seen: Set<string>;
}

/** What the product must be started with. */
export const surroundings = {
  ADMIN_EMAIL: 'boss@harrowgatefoods.co.uk',
  METRICS_TOKEN: 'token-of-the-collector',
};

export function callsOf(product: TestApp, person: SignedIn, administrator: SignedIn): Calls {
  const send: Calls['send'] = async (method, url, payload) => {
    const answer = await product.app.inject({
      method,
      url,
      headers: { cookie: person.cookie },
      ...(payload ? { payload } : {}),
    });
    const isJson = String(answer.headers['content-type']).includes('json');
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body };
  };
  const read: Calls['read'] = async (url) => {
    const { status, body } = await send('GET', url);
    if (status !== 200) throw new Error(`GET ${url}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const readInstallation: Calls['readInstallation'] = async () => {
    const { cookie } = administrator;
    const stats = await product.app.inject({ url: '/api/admin/stats', headers: { cookie } });
    const authorization = `Bearer ${surroundings.METRICS_TOKEN}`;
    const metrics = await product.app.inject({ url: '/api/metrics', headers: { authorization } });
    return { emailsProcessed: stats.json().emailsProcessed, metrics: metrics.body };
  };
  const known = { liftings: [], memberships: [], bases: [], deleted: [], seen: new Set<string>() };
  return { product, person, send, read, readInstallation, ...known };
}

/** The one of a list that a piece of work is about. Undefined when the list is empty. */
export const oneOf = <T>(items: readonly T[], at: number): T | undefined =>
  items[at % Math.max(items.length, 1)];

/** What came of it: the status of the call that counts, or null when there was nothing to do. */
export type Done = number | null;

/** How each kind of work is done. */
export type DoingOf<Work extends { does: string }> = {
  [Name in Work['does']]: (calls: Calls, work: Extract<Work, { does: Name }>) => Promise<Done>;
};

export const contactsOf = async ({ read }: Calls): Promise<{ id: number }[]> =>
  (await read('/api/emails?limit=200')).emails;

/** The lists or the tags that people fill. */
export async function groupsOf({ read }: Calls, kind: 'lists' | 'tags'): Promise<{ id: number }[]> {
  const all: { id: number; isDynamic?: boolean }[] = await read(`/api/${kind}`);
  return all.filter(({ isDynamic }) => !isDynamic);
}
