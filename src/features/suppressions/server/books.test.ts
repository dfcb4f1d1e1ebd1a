import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkBooks } from '#features/rollups/server/index.ts';
import { formOf, importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

// Whatever people do with contacts and lists, one thing after the other: who is suppressed, why,
// and all figures match a model that only keeps sets.

let product: TestApp;
let me: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
  product.tasks.startWork();
});
afterAll(() => product.close());

const domains = ['acme.co.uk', 'north.acme.co.uk', 'shop.uk'];
const addresses = ['ann', 'bob'].flatMap((local) => domains.map((domain) => `${local}@${domain}`));
const address = fc.constantFrom(...addresses);
const some = fc.uniqueArray(address, { minLength: 1, maxLength: 4 });
const domain = fc.constantFrom(...domains);

const happening = fc.oneof(
  fc.record({ does: fc.constant('import contacts' as const), some, checks: fc.boolean() }),
  fc.record({ does: fc.constant('add contact' as const), address, checks: fc.boolean() }),
  fc.record({ does: fc.constant('delete contact' as const), address }),
  fc.record({
    does: fc.constant('suppress address' as const),
    address,
    reason: fc.constantFrom('manual' as const, 'bounced' as const, 'unsubscribed' as const),
  }),
  fc.record({ does: fc.constant('suppress contact' as const), address }),
  fc.record({ does: fc.constant('suppress contacts' as const), domain }),
  fc.record({ does: fc.constant('suppress domain' as const), domain }),
  fc.record({
    does: fc.constant('import list' as const),
    some,
    domains: fc.subarray(domains, { maxLength: 1 }),
  }),
  fc.record({ does: fc.constant('import hashes' as const), some }),
  fc.record({ does: fc.constant('lift address' as const), address }),
  fc.record({ does: fc.constant('lift domain' as const), domain }),
  fc.record({
    does: fc.constant('lift by reason' as const),
    reason: fc.constantFrom('manual', 'unsubscribed', 'complained'),
  }),
  fc.record({ does: fc.constant('undo' as const), back: fc.nat(2) }),
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const send = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
  const answer = await product.app.inject({
    method,
    url,
    headers: { cookie: me.cookie },
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
};
const read = async (url: string) => (await send('GET', url)).body;
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

async function importList(lines: string[], form: 'plain' | 'sha256', reason: string) {
  const { payload, headers } = formOf([
    ['reason', reason],
    ['form', form],
    ['file', `${lines.join('\n')}\n`, 'list.txt'],
  ]);
  const url = '/api/suppressions/import';
  const answer = await product.app.inject({
    method: 'POST',
    url,
    headers: { ...headers, cookie: me.cookie },
    payload,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

/** What is not here weighs nothing. */
const weights = ['unsubscribed', 'complained'];

/** What should be, by the simplest means. */
class Model {
  readonly contacts = new Set<string>();
  readonly bin = new Set<string>();
  readonly list = new Map<string, string>();
  readonly domains = new Map<string, string>();
  readonly hashes = new Set<string>();
  readonly liftings: {
    id: number;
    of: 'list' | 'domains';
    entries: Map<string, string>;
    isUndone: boolean;
  }[] = [];

  isSuppressed(of: string): boolean {
    const name = of.split('@')[1] ?? '';
    return this.list.has(of) || [...this.domains.keys()].some((d) => name === d || name.endsWith(`.${d}`));
  }

  /** A contact comes in. Returns whether it did. */
  comesIn(of: string, checks: boolean): boolean {
    if (this.contacts.has(of)) return false;
    if (checks && (this.isSuppressed(of) || this.hashes.has(of))) return false;
    this.contacts.add(of);
    if (this.hashes.has(of)) this.put(of, 'complained');
    return true;
  }

  /** An entry comes on the list, in whatever way. Returns whether it is new. */
  put(of: string, reason: string): boolean {
    const isNew = !this.list.has(of);
    const before = this.list.get(of) ?? reason;
    const weightiest = weights.indexOf(reason) > weights.indexOf(before) ? reason : before;
    this.list.set(of, this.hashes.has(of) ? 'complained' : weightiest);
    return isNew;
  }

  lift(id: number, from: 'list' | 'domains', names: string[]): void {
    const entries = new Map(names.map((name) => [name, this[from].get(name) ?? '']));
    for (const name of names) {
      this[from].delete(name);
      if (from === 'list') this.hashes.delete(name);
    }
    this.liftings.push({ id, of: from, entries, isUndone: false });
  }
}

const tally = (names: Iterable<string>): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

async function compare(model: Model): Promise<void> {
  const { emails } = await read('/api/emails?limit=100');
  const statuses = new Map(
    emails.map((one: { address: string; status: string }) => [one.address, one.status]),
  );
  expect(statuses).toEqual(
    new Map([...model.contacts].map((one) => [one, model.isSuppressed(one) ? 'suppressed' : 'active'])),
  );
  const suppressed = [...model.contacts].filter((one) => model.isSuppressed(one)).length;
  expect(await read('/api/stats')).toMatchObject({
    suppressedEmails: suppressed,
    validEmails: model.contacts.size - suppressed,
    totalEmails: model.contacts.size,
  });
  expect(await read('/api/suppressions/summary')).toEqual({
    emails: tally(model.list.values()),
    domains: tally(model.domains.values()),
    hashes: model.hashes.size > 0 ? { sha256: model.hashes.size } : {},
  });
  const { items } = await read('/api/suppressions/emails?limit=100');
  expect(
    new Map(items.map((one: { email: string; affectedCount: number }) => [one.email, one.affectedCount])),
  ).toEqual(new Map([...model.list.keys()].map((one) => [one, model.contacts.has(one) ? 1 : 0])));
  expect(await product.database.asTenant(me.workspaceId, (tx) => checkBooks(tx, me.workspaceId))).toEqual([]);
}

const contactId = async (email: string): Promise<number | undefined> =>
  (await read('/api/emails?limit=100')).emails.find((one: { address: string }) => one.address === email)?.id;
const entryId = async (tab: 'emails' | 'domains', name: string): Promise<number | undefined> =>
  (await read(`/api/suppressions/${tab}?limit=100`)).items.find(
    (one: { email?: string; domain?: string }) => (one.email ?? one.domain) === name,
  )?.id;

const why = { reason: 'it is what happened' };

/** Does something to the contacts, and the same to the model. */
async function doToContacts(model: Model, what: Happening): Promise<boolean> {
  switch (what.does) {
    case 'import contacts': {
      const answer = await importCsv(product.app, me.cookie, `email\n${what.some.join('\n')}\n`, {
        options: { filterNonUk: false, checkSuppressions: what.checks },
      });
      const came = what.some.filter((one) => model.comesIn(one, what.checks));
      expect(answer.json()).toMatchObject({ imported: came.length });
      return true;
    }
    case 'add contact': {
      const given = { email: what.address, checkSuppressions: what.checks };
      const { status } = await send('POST', '/api/emails', given);
      expect(status).toBe(model.comesIn(what.address, what.checks) ? 201 : 409);
      return true;
    }
    case 'delete contact': {
      const id = await contactId(what.address);
      if (id === undefined) return true;
      expect((await send('DELETE', `/api/emails/${id}`)).status).toBe(200);
      model.contacts.delete(what.address);
      model.bin.add(what.address);
      return true;
    }
    default:
      return false;
  }
}

async function putOnLists(model: Model, what: Happening): Promise<boolean> {
  switch (what.does) {
    case 'suppress address': {
      const given = { email: what.address, reason: what.reason };
      expect((await send('POST', '/api/suppressions/email/manual', given)).status).toBe(201);
      model.put(what.address, what.reason);
      return true;
    }
    case 'suppress contact': {
      const emailId = await contactId(what.address);
      if (emailId === undefined) return true;
      expect((await send('POST', '/api/suppressions/email', { emailId })).status).toBe(201);
      model.put(what.address, 'manual');
      return true;
    }
    case 'suppress contacts': {
      const { body } = await send('POST', '/api/suppressions/emails', { filter: { domain: what.domain } });
      const meant = [...model.contacts].filter((one) => one.endsWith(`@${what.domain}`));
      expect(body).toEqual({ suppressed: meant.filter((one) => model.put(one, 'manual')).length });
      return true;
    }
    case 'suppress domain':
      expect((await send('POST', '/api/suppressions/domain', { domain: what.domain })).status).toBe(201);
      if (!model.domains.has(what.domain)) model.domains.set(what.domain, 'manual');
      return true;
    case 'import list': {
      const lines = [...what.some, ...what.domains.map((one) => `@${one}`)];
      const result = await importList(lines, 'plain', 'unsubscribed');
      const added = what.some.filter((one) => model.put(one, 'unsubscribed')).length;
      const newDomains = what.domains.filter((one) => !model.domains.has(one));
      for (const one of newDomains) model.domains.set(one, 'imported');
      expect(result).toMatchObject({ lines: lines.length, added, domains: newDomains.length, invalid: 0 });
      return true;
    }
    case 'import hashes': {
      const result = await importList(what.some.map(hashOf), 'sha256', 'complained');
      const added = what.some.filter((one) => !model.hashes.has(one));
      for (const one of added) model.hashes.add(one);
      const holders = [model.contacts, model.bin, model.list];
      const known = added.filter((one) => holders.some((held) => held.has(one)));
      const recognised = known.filter((one) => model.put(one, 'complained')).length;
      expect(result).toMatchObject({ added: added.length, hashes: added.length, recognised });
      return true;
    }
    default:
      return false;
  }
}

async function takeOffLists(model: Model, what: Happening): Promise<void> {
  switch (what.does) {
    case 'lift address': {
      const id = await entryId('emails', what.address);
      expect(id !== undefined).toBe(model.list.has(what.address));
      if (id === undefined) return;
      const { body } = await send('DELETE', `/api/suppressions/email/${id}`, why);
      return model.lift(body.liftingId, 'list', [what.address]);
    }
    case 'lift domain': {
      const id = await entryId('domains', what.domain);
      expect(id !== undefined).toBe(model.domains.has(what.domain));
      if (id === undefined) return;
      const { body } = await send('DELETE', `/api/suppressions/domain/${id}`, why);
      return model.lift(body.liftingId, 'domains', [what.domain]);
    }
    case 'lift by reason': {
      const filter = { reason: what.reason };
      const { body } = await send('DELETE', '/api/suppressions/emails', { filter, ...why });
      const meant = [...model.list].filter(([, reason]) => reason === what.reason).map(([name]) => name);
      expect(body.removed).toBe(meant.length);
      if (meant.length > 0) model.lift(body.liftingId, 'list', meant);
      return;
    }
    case 'undo': {
      const lifting = model.liftings.at(-1 - what.back);
      if (!lifting) return;
      const { status, body } = await send('POST', `/api/suppressions/liftings/${lifting.id}/undo`);
      if (lifting.isUndone) return expect(status).toBe(409);
      lifting.isUndone = true;
      const back = [...lifting.entries].filter(([name]) => !model[lifting.of].has(name));
      for (const [name, reason] of lifting.of === 'list' ? lifting.entries : []) model.put(name, reason);
      for (const [name, reason] of lifting.of === 'domains' ? back : []) model.domains.set(name, reason);
      expect(body).toEqual({ restored: back.length });
      return;
    }
    default:
      throw new Error(`nobody does: ${what.does}`);
  }
}

it('who is suppressed, why, and how many agree with a model after any history', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 6, maxLength: 12 }), async (history) => {
      me = await signUp(product.app);
      const model = new Model();
      for (const what of history) {
        if (!(await doToContacts(model, what)) && !(await putOnLists(model, what))) {
          await takeOffLists(model, what);
        }
        await compare(model);
      }
    }),
    { numRuns: 8 },
  );
});
