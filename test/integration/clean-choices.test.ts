import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { cleanReasons } from '#features/bin/contract.ts';
import { checkBooks } from '#features/rollups/server/index.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';

/**
 * What people let in by what they chose for an import, Clean leaves, unless somebody chooses
 * otherwise.
 */

vi.setConfig({ testTimeout: 120_000 });

let product: TestApp;
let person: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
});
afterAll(() => product.close());
beforeEach(async () => {
  person = await signUp(product.app);
});

async function ask(method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object, cookie = person.cookie) {
  const answer = await product.app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) });
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300);
  return answer.json();
}
const choose = (emailValidation: object) => ask('PATCH', '/api/settings', { emailValidation });
const preview = (query = '') => ask('POST', `/api/emails/clean?preview=true${query}`);
const clean = (query = '') => ask('POST', `/api/emails/clean${query}`);
const addresses = async (): Promise<string[]> =>
  (await ask('GET', '/api/emails?limit=200')).emails
    .map(({ address }: { address: string }) => address)
    .toSorted();

async function bring(lines: readonly string[], options: object = {}) {
  const answer = await importCsv(product.app, person.cookie, `email\n${lines.join('\n')}\n`, { options });
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json().imported, answer.body).toBe(lines.length);
  return answer.json();
}

/** Brings contacts under the default of that moment, so that nobody chose anything for them. */
async function bringUnderDefault(lines: readonly string[], endings: readonly string[]) {
  await choose({ allowedDomains: ['.uk', ...endings] });
  await bring(lines);
  await choose({ allowedDomains: ['.uk'] });
}

/** Domains of each class, with the policies that keep them when only `.uk` is allowed. */
const domains: Record<string, readonly string[]> = {
  'shop.co.uk': ['suffix', 'likely', 'any_but_foreign_cctld'],
  'gov.scot': ['suffix', 'likely', 'any_but_foreign_cctld'],
  'btinternet.com': ['likely', 'any_but_foreign_cctld'],
  'mail.btinternet.com': ['likely', 'any_but_foreign_cctld'],
  'acme.uk.com': ['likely', 'any_but_foreign_cctld'],
  'gmail.com': ['any_but_foreign_cctld'],
  'acme.com': ['any_but_foreign_cctld'],
  'acme.org': ['any_but_foreign_cctld'],
  'acme.ie': [],
  'firma.de': [],
  'acme.io': [],
};
const keptBy = (policy: string, all = Object.keys(domains)) =>
  all.filter((domain) => domains[domain]?.includes(policy));

/** Where contacts come from, and what was chosen for their import alone. */
const sources = {
  // Under a default that keeps all but foreign endings.
  default: { options: {}, brought: keptBy('any_but_foreign_cctld'), own: null },
  // Whoever leaves the filter out wants them all.
  unfiltered: { options: { filterNonUk: false }, brought: Object.keys(domains), own: 'off' },
  // A policy beside a filter that is off was not applied.
  idle: { options: { filterNonUk: false, ukPolicy: 'likely' }, brought: Object.keys(domains), own: 'off' },
  suffix: { options: { ukPolicy: 'suffix' }, brought: keptBy('suffix'), own: 'suffix' },
  likely: { options: { ukPolicy: 'likely' }, brought: keptBy('likely'), own: 'likely' },
  any: {
    options: { ukPolicy: 'any_but_foreign_cctld' },
    brought: keptBy('any_but_foreign_cctld'),
    own: 'any_but_foreign_cctld',
  },
  hand: { options: null, brought: Object.keys(domains), own: null },
} as const;

async function bringAll(): Promise<{ address: string; domain: string; own: string | null }[]> {
  await choose({ ukPolicy: 'any_but_foreign_cctld' });
  const contacts: { address: string; domain: string; own: string | null }[] = [];
  for (const [name, { options, brought, own }] of Object.entries(sources)) {
    const lines = brought.map((domain) => `${name}.jo@${domain}`);
    if (options) await bring(lines, options);
    else for (const email of lines) await ask('POST', '/api/emails', { email });
    contacts.push(...brought.map((domain, at) => ({ address: lines[at] ?? '', domain, own })));
  }
  return contacts;
}

const defaults = [
  { ukPolicy: 'suffix', allowedDomains: ['.uk'] },
  { ukPolicy: 'suffix', allowedDomains: ['.uk', '.ie', 'acme.com'] },
  { ukPolicy: 'suffix', allowedDomains: ['.co.uk'] },
  { ukPolicy: 'suffix', allowedDomains: [] },
  { ukPolicy: 'likely', allowedDomains: ['.uk'] },
  { ukPolicy: 'likely', allowedDomains: ['firma.de'] },
  { ukPolicy: 'any_but_foreign_cctld', allowedDomains: ['.uk'] },
];

/** A plain reading of the rule: what the settings keep. */
function isWithin(domain: string, { ukPolicy, allowedDomains }: (typeof defaults)[number]): boolean {
  const endings = allowedDomains.map((ending) => ending.replace(/^\./, ''));
  if (endings.some((ending) => domain === ending || domain.endsWith(`.${ending}`))) return true;
  if (endings.includes('uk') && domains[domain]?.includes('suffix')) return true;
  return ukPolicy !== 'suffix' && (domains[domain]?.includes(ukPolicy) ?? false);
}

const wide = ['likely', 'any_but_foreign_cctld'];

it('every policy, class, source and default, and each set of reasons', async () => {
  const contacts = await bringAll();
  const all = contacts.map(({ address }) => address).toSorted();
  expect(await addresses()).toEqual(all);
  for (const settings of defaults) {
    await choose(settings);
    const outside = contacts.filter(({ domain }) => !isWithin(domain, settings));
    const letIn = outside.filter(
      ({ domain, own }) => own === 'off' || (own && wide.includes(own) && domains[domain]?.includes(own)),
    );
    const nonUk = outside.filter((one) => !letIn.includes(one));
    const said = JSON.stringify(settings);

    const before = await preview();
    expect(before, said).toMatchObject({ removed: nonUk.length, nonUk: nonUk.length, letIn: letIn.length });
    const views = Object.fromEntries(before.reasons.map((one: { reason: string }) => [one.reason, one]));
    expect(views.nonUk.contacts).toBe(nonUk.length);
    expect(views.letIn.contacts).toBe(letIn.length);
    expect(views.nonUk.domains).toEqual(largest(nonUk));
    expect(views.letIn.domains).toEqual(largest(letIn));
    for (const [view, of] of [
      [views.nonUk, nonUk],
      [views.letIn, letIn],
    ] as const) {
      expect(view.samples).toHaveLength(Math.min(of.length, 5));
      expect(of.map(({ address }) => address)).toEqual(expect.arrayContaining(view.samples));
    }

    for (const { query, gone } of [
      { query: '', gone: nonUk },
      { query: '?reasons=nonUk', gone: nonUk },
      { query: '?reasons=letIn', gone: letIn },
      { query: '?reasons=letIn,nonUk', gone: outside },
      { query: '?reasons=duplicate,invalid', gone: [] },
      { query: '?reasons=', gone: [] },
    ]) {
      expect((await preview(query.replace('?', '&'))).removed, `${said} ${query}`).toBe(gone.length);
      const done = await clean(query);
      expect(done, `${said} ${query}`).toMatchObject({ removed: gone.length, nonUk: gone.length });
      expect(done.letIn).toBe(query.includes('letIn') ? 0 : letIn.length);
      const left = new Set(gone.map(({ address }) => address));
      expect(await addresses(), `${said} ${query}`).toEqual(all.filter((one) => !left.has(one)));
      if (done.removalId !== null) await ask('POST', `/api/removals/${done.removalId}/restore`);
    }
    expect(await addresses()).toEqual(all);
  }
  const { workspaceId } = person;
  expect(await product.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
});

function largest(of: readonly { domain: string }[]) {
  const counts = new Map<string, number>();
  for (const { domain } of of) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  return [...counts]
    .map(([domain, contacts]) => ({ domain, contacts }))
    .sort((a, b) => b.contacts - a.contacts || (a.domain < b.domain ? -1 : 1))
    .slice(0, 10);
}

describe('a contact that was let in', () => {
  const any = { ukPolicy: 'any_but_foreign_cctld' };

  it('still goes as invalid or as a further copy, and each counts once', async () => {
    await choose({ strictValidation: false });
    await bring(['jo..ann@gmail.com', 'sam@gmail.com', 'tom@acme.com'], { ...any });
    await bring(['sam@gmail.com', 'no address'], { ...any, removeDuplicates: false, validateEmails: false });
    await choose({ strictValidation: true });
    const usual = { removed: 3, duplicates: 1, invalid: 2, nonUk: 0, letIn: 2 };
    const { reasons, ...counts } = await preview();
    expect(counts).toEqual({ ...usual, removalId: null, isEstimate: false });
    expect(reasons).toEqual([
      {
        reason: 'duplicate',
        contacts: 1,
        isEstimate: false,
        samples: ['sam@gmail.com'],
        domains: [{ domain: 'gmail.com', contacts: 1 }],
      },
      {
        reason: 'invalid',
        contacts: 2,
        isEstimate: false,
        samples: ['no address', 'jo..ann@gmail.com'],
        domains: [{ domain: 'gmail.com', contacts: 1 }],
      },
      { reason: 'nonUk', contacts: 0, isEstimate: false, samples: [], domains: [] },
      {
        reason: 'letIn',
        contacts: 2,
        isEstimate: false,
        samples: ['tom@acme.com', 'sam@gmail.com'],
        domains: [
          { domain: 'acme.com', contacts: 1 },
          { domain: 'gmail.com', contacts: 1 },
        ],
      },
    ]);
    // Invalid ones are not removed for being abroad when invalid is not chosen.
    expect(await clean('?reasons=nonUk,letIn')).toMatchObject({ removed: 2, invalid: 0, nonUk: 2, letIn: 0 });
    expect(await addresses()).toEqual(['jo..ann@gmail.com', 'no address', 'sam@gmail.com']);
    expect(await clean('?reasons=duplicate')).toMatchObject({ removed: 1, duplicates: 1 });
    expect(await clean()).toMatchObject({ removed: 2, invalid: 2, letIn: 0 });
    expect(await addresses()).toEqual([]);
  });

  it('stays one after a restore, and after its address was mended', async () => {
    await bring(['ann@gmial.com', 'bob@gmail.com'], any);
    const { removalId } = await clean('?reasons=letIn');
    await ask('POST', `/api/removals/${removalId}/restore`);
    expect(await preview()).toMatchObject({ removed: 0, letIn: 2 });
    // From a domain that the policy keeps to one that it does not keep.
    await product.database.asTenant(person.workspaceId, async (tx) => {
      await sql`update contacts set domain = 'firma.de' where local = 'bob'`.execute(tx);
      await sql`update contact_domains set domain = 'firma.de' where domain = 'gmail.com'`.execute(tx);
    });
    expect(await preview()).toMatchObject({ removed: 1, nonUk: 1, letIn: 1 });
  });

  it('does not make others stay: of an import that was undone, or of another workspace', async () => {
    const { id } = await bring(['ann@gmail.com'], any);
    const other = await signUp(product.app);
    const otherImport = (
      await importCsv(product.app, other.cookie, 'email\nzoe@gmail.com\n', { options: any })
    ).json();
    await ask('POST', '/api/emails', { email: 'bob@gmail.com' });
    // As if a contact named an import that is not the workspace's own.
    await product.owner.pool.query(
      `update contacts set import_id = $1 where workspace_id = $2 and local = 'bob'`,
      [otherImport.id, person.workspaceId],
    );
    expect(await preview()).toMatchObject({ removed: 1, nonUk: 1, letIn: 1 });
    expect(await clean()).toMatchObject({ removed: 1, nonUk: 1, letIn: 1 });
    expect(await addresses()).toEqual(['ann@gmail.com']);
    expect(await ask('POST', '/api/emails/clean?preview=true', undefined, other.cookie)).toMatchObject({
      removed: 0,
      letIn: 1,
    });
    await ask('POST', `/api/imports/${id}/undo`);
    expect(await preview()).toMatchObject({ removed: 0, letIn: 0 });
  });

  it('is removed once by two cleans at the same time, and not by the usual one', async () => {
    await bring(
      Array.from({ length: 40 }, (_, n) => `p${n}@gmail.com`),
      any,
    );
    await bringUnderDefault(
      Array.from({ length: 30 }, (_, n) => `q${n}@firma${n}.de`),
      ['.de'],
    );
    const done = await Promise.all([clean(), clean(), clean('?reasons=letIn'), clean('?reasons=nonUk')]);
    expect(done.map(({ removed }) => removed).toSorted((a, b) => a - b)).toEqual([0, 0, 30, 40]);
    expect(done[2]).toMatchObject({ removed: 40, nonUk: 40 });
    expect(await addresses()).toEqual([]);
    const { workspaceId } = person;
    expect(await product.database.asTenant(workspaceId, (tx) => checkBooks(tx, workspaceId))).toEqual([]);
  });

  it('is shown by its largest domains, those of one size by name', async () => {
    const lines = Array.from(
      { length: 90 },
      (_, n) => `p${n}@${n % 3 === 0 ? 'acme' : 'shop'}${(n * 37) % 31}.com`,
    );
    await bring(lines, any);
    await bringUnderDefault(
      lines.map((line) => `x${line.replace('.com', '.de')}`),
      ['.de'],
    );
    const { reasons } = await preview();
    const of = (ending: string) =>
      largest(lines.map((line) => ({ domain: line.split('@')[1]?.replace('.com', ending) ?? '' })));
    expect(reasons[3].domains).toEqual(of('.com'));
    expect(reasons[2].domains).toEqual(of('.de'));
  });

  it('is left by the cleanup, too, which takes the same reasons', async () => {
    await bring(['ann@gmail.com', 'tom@btinternet.com'], any);
    expect(await ask('POST', '/api/maintenance/cleanup?preview=true')).toMatchObject({
      removed: 0,
      letIn: 2,
      reasons: cleanReasons.map((reason) => ({ reason, contacts: reason === 'letIn' ? 2 : 0 })),
    });
    expect(await ask('POST', '/api/maintenance/cleanup')).toMatchObject({ removed: 0, letIn: 2 });
    const done = await ask('POST', '/api/maintenance/cleanup?reasons=letIn,invalid');
    expect(done).toMatchObject({ removed: 2, nonUk: 2, letIn: 0 });
    const [line] = (await ask('GET', '/api/audit')).items;
    expect(line.details).toMatchObject({ reasons: 'invalid, letIn', removed: 2 });
  });
});

it.each(['nobody', 'nonUk,', ',nonUk', 'nonUk;letIn', 'duplicate,duplicates', 'NONUK'])(
  'refuses reasons that nobody knows: %s',
  async (reasons) => {
    for (const url of ['/api/emails/clean', '/api/maintenance/cleanup']) {
      const answer = await product.app.inject({
        method: 'POST',
        url: `${url}?reasons=${encodeURIComponent(reasons)}`,
        headers: { cookie: person.cookie },
      });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().fields).toHaveProperty('reasons');
    }
  },
);
