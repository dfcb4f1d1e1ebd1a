import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '#features/contacts/contract.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

let test: TestApp;
let owner: SignedIn;

const domains = ['acme.co.uk', 'btinternet.com', 'gmail.com', 'kent.sch.uk', 'mailinator.com'];
let added = 0;
/** Shares its beginning with others, so that the order within a domain matters. */
const freshAddress = (place: number) => {
  added += 1;
  return `${'abc'[place % 3]}${(place * 7919) % 90}.n${added}@${domains[place % domains.length]}`;
};

interface Page {
  emails: Contact[];
  totalCount: number;
  nextCursor: string | null;
}

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, who = owner) {
  return test.app.inject({
    method,
    url,
    headers: { cookie: who.cookie },
    ...(body ? { payload: body } : {}),
  });
}
async function pageAt(query: Record<string, string | number>, who = owner): Promise<Page> {
  const answer = await call('GET', `/api/emails?${new URLSearchParams(query as never)}`, undefined, who);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const add = async (place: number) =>
  (await call('POST', '/api/emails', { email: freshAddress(place) })).json<Contact>().id;

beforeAll(async () => {
  test = await openTestApp();
  owner = await signUp(test.app);
  // Copies share their address, so only their number tells them apart.
  const copies = Array(5).fill('twice@acme.co.uk');
  const listed = [
    ...copies,
    'not an address',
    'x@@y',
    ...Array.from({ length: 30 }, (_, place) => freshAddress(place)),
  ];
  const options = { removeDuplicates: false, validateEmails: false, filterNonUk: false };
  const imported = await importCsv(test.app, owner.cookie, `email\n${listed.join('\n')}\n`, { options });
  expect(imported.json().imported).toBe(37);
  for (let place = 0; place < 25; place += 1) await add(place);
  await call('POST', '/api/suppressions/domain', { domain: 'btinternet.com' });
});
afterAll(() => test.close());

const filters: Record<string, Record<string, string | number>> = {
  'all contacts': {},
  'a status': { status: 'active' },
  'the suppressed': { status: 'suppressed' },
  copies: { status: 'duplicate' },
  'a domain': { domain: 'acme.co.uk' },
  'a verdict': { verdict: 'valid' },
  'a verdict and a status': { verdict: 'valid', status: 'active' },
  'a kind': { kind: 'free' },
  'a part of an address': { search: 'a' },
  'an import': { importId: 1 },
  'days and a term': { addedFrom: '2020-01-01', search: '.n' },
};

/**
 * What others do between two pages. A number adds a contact of that sort. A fraction removes the
 * contact at that place in the list.
 */
const meanwhile = fc.array(
  fc.oneof(fc.nat(1000), fc.double({ min: 0, max: 0.999, noNaN: true }).map(String)),
  {
    maxLength: 3,
  },
);

describe('walking all pages by cursor', () => {
  it.each(Object.entries(filters))(
    'gives each contact of %s exactly once, in order, while others come and go',
    async (_name, filter) => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('createdAt', 'address', 'domain', 'verdict', 'risk'),
          fc.constantFrom('asc', 'desc'),
          fc.integer({ min: 1, max: 9 }),
          fc.array(meanwhile, { maxLength: 6 }),
          async (sort, order, limit, changes) => {
            const query = { ...filter, sort, order };
            const before = (await pageAt({ ...query, limit: 200 })).emails.map(({ id }) => id);
            expect(before.length).toBeGreaterThan(2);
            const removed = new Set<number>();
            const walked: number[] = [];
            let cursor: string | null = null;
            do {
              const page: Page = await pageAt({ ...query, limit, ...(cursor ? { cursor } : {}) });
              expect(page.totalCount).toBe(before.length);
              walked.push(...page.emails.map(({ id }) => id));
              expect(page.emails.length, 'only the last page may be short').toBeGreaterThanOrEqual(
                page.nextCursor ? 1 : 0,
              );
              cursor = page.nextCursor;
              for (const change of changes.shift() ?? []) {
                if (typeof change === 'number') await add(change);
                else {
                  const id = before[Math.floor(Number(change) * before.length)] as number;
                  if (before.length - removed.size > 3 && !removed.has(id)) {
                    removed.add(id);
                    expect((await call('DELETE', `/api/emails/${id}`)).statusCode).toBe(200);
                  }
                }
              }
            } while (cursor);
            expect(new Set(walked).size).toBe(walked.length);
            const stayed = before.filter((id) => !removed.has(id));
            expect(walked.filter((id) => stayed.includes(id))).toEqual(stayed);
            // Restore what was removed, or the later cases have nothing to walk over.
            const removals = (await call('GET', '/api/removals?limit=100')).json().items;
            for (const { id, state } of removals as { id: number; state: string }[])
              if (state === 'in-bin') await call('POST', `/api/removals/${id}/restore`);
          },
        ),
        { numRuns: 8 },
      );
    },
  );

  it('ends where the contacts end, without an empty page', async () => {
    const all = (await pageAt({ limit: 200 })).emails.length;
    expect((await pageAt({ limit: all })).nextCursor).toBeNull();
    const first = await pageAt({ limit: all - 1 });
    const last = await pageAt({ limit: all - 1, cursor: first.nextCursor ?? '' });
    expect(last.emails).toHaveLength(1);
    expect(last.nextCursor).toBeNull();
  });

  it('goes on from a page by number', async () => {
    const [second, third] = [await pageAt({ page: 2, limit: 5 }), await pageAt({ page: 3, limit: 5 })];
    const after = await pageAt({ limit: 5, cursor: second.nextCursor ?? '' });
    expect(after.emails).toEqual(third.emails);
  });

  it('may change the length of the page', async () => {
    const { nextCursor } = await pageAt({ limit: 5 });
    const longer = await pageAt({ limit: 9, cursor: nextCursor ?? '' });
    expect(longer.emails.map(({ id }) => id)).toEqual(
      (await pageAt({ limit: 14 })).emails.slice(5).map(({ id }) => id),
    );
  });
});

describe('a cursor is refused in words', () => {
  const refused = async (query: Record<string, string | undefined>, words: RegExp, who = owner) => {
    const answer = await call(
      'GET',
      `/api/emails?${new URLSearchParams(query as Record<string, string>)}`,
      undefined,
      who,
    );
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(words) });
    expect(answer.json().fields.cursor).toMatch(words);
  };

  it('of another workspace', async () => {
    const stranger = await signUp(test.app);
    const cursor = (await pageAt({ limit: 5 })).nextCursor ?? '';
    await refused({ cursor }, /does not belong to this list/, stranger);
  });

  it('of another order or other filters', async () => {
    const cursor = (await pageAt({ limit: 5 })).nextCursor ?? '';
    for (const other of [{ sort: 'address' }, { order: 'asc' }, { status: 'active' }, { search: 'a' }]) {
      await refused({ cursor, ...other }, /does not belong to this list/);
    }
  });

  it('that is none, or empty', async () => {
    for (const cursor of ['nonsense', 'a'.repeat(40), "' or 1=1 --", '\0'])
      await refused({ cursor }, /does not belong to this list/);
    await refused({ cursor: '' }, /./);
  });

  it('beside a page', async () => {
    const cursor = (await pageAt({ limit: 5 })).nextCursor ?? '';
    await refused({ cursor, page: '2' }, /either a cursor or a page/);
  });
});
