import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ukClasses } from '#features/addresses/contract.ts';
import { addressKinds, createJudge, listedDomains, listedRoles, ukClass } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import type { StoredContact } from '#features/contacts/rules.ts';
import { gatherFields } from '#features/segments/server/fields.ts';
import { type Database, type Fragment, openDatabase } from '#platform/server/database.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { isOfKind, isOfUkClass, mayHaveKind } from './address-kinds.ts';
import { verificationSegmentFields } from './conditions.ts';

/* The conditions say the same as the judge, for every listed name and for made-up ones. */

let made: TestDatabase;
let db: Database;
beforeAll(async () => {
  made = await createTestDatabase();
  db = openDatabase({ url: made.appUrl });
});
afterAll(async () => {
  await db.close();
  await made.drop();
});

const judge = createJudge({ idna, strict: true });

interface Contact {
  local: string;
  domain: string;
}

/** What PostgreSQL finds for each contact: the kinds and classes whose condition is true. */
async function ask(contacts: readonly Contact[]): Promise<string[]> {
  const domain = sql`c.domain`;
  const named = (names: readonly string[], test: (name: never) => Fragment) =>
    sql.join(
      names.map((name) => sql`case when ${test(name as never)} then ${`${name} `} else '' end`),
      sql` || `,
    );
  const { rows } = await db.asTenant(1, (tx) => {
    const [locals, of] = [contacts.map(({ local }) => local), contacts.map((one) => one.domain)];
    return sql<{ found: string; possible: string }>`
      select ${named(addressKinds, isOfKind)} || ${named(ukClasses, (uk) => isOfUkClass(uk, domain))} as found,
             ${named(addressKinds, (one) => mayHaveKind(one, domain))} as possible
      from rows from (unnest(${locals}::text[]), unnest(${of}::text[])) with ordinality as given (local, domain, place)
      cross join lateral (select given.local, given.domain, 0 as state) c order by place`.execute(tx);
  });
  for (const { found, possible } of rows) expect(possible).toContain(found.split(' ')[0]);
  return rows.map(({ found }) => found.trim());
}

async function compare(contacts: readonly Contact[]): Promise<void> {
  const judged = contacts.flatMap((one) => {
    const { kind, local, domain } = judge(`${one.local}@${one.domain}`);
    // The judge refuses some of what is made up here. Contacts are stored as the parser gives them.
    return kind !== null && local === one.local && domain === one.domain ? [{ ...one, kind }] : [];
  });
  expect(judged.length).toBeGreaterThan(contacts.length / 3);
  const found = await ask(judged);
  const wrong = judged.flatMap(({ local, domain, kind }, at) => {
    const meant = `${kind} ${ukClass(domain)}`;
    return found[at] === meant ? [] : [`${local}@${domain}: ${found[at]} for ${meant}`];
  });
  expect(wrong).toEqual([]);
}

it('is none where a domain has no ending, or there is no domain', async () => {
  const all = (tests: Fragment[]) => sql`(${sql.join(tests, sql` or `)})`;
  const { rows } = await db.asTenant(1, (tx) =>
    sql<{ has: boolean; may: boolean }>`
      select ${all(addressKinds.map(isOfKind))} as has,
        ${all(addressKinds.map((kind) => mayHaveKind(kind, sql`c.domain`)))} as may
      from (values ('jane', 'nowhere', 2), ('info', '', 2)) as c (local, domain, state)`.execute(tx),
  );
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ has: false, may: false })));
});

it('is the same where a segment says why somebody is in, also of what strict rules refuse', () => {
  const field = gatherFields(verificationSegmentFields).find('kind');
  const kindOf = (local: string, domain: string) =>
    field.has?.({ verification: null, state: 2, local, domain } as StoredContact);
  expect(kindOf('dot..s', 'acme.co.uk')).toEqual(['corporate']);
  expect(kindOf('jane', 'gmail.com')).toEqual(['free']);
  expect(kindOf('jane', 'nowhere')).toEqual([]);
});

it('by every listed domain, one below it, one beside it and with another ending', {
  timeout: 300_000,
}, async () => {
  const listed = [...new Set(Object.values(listedDomains(idna)).flat())].filter((name) => name.includes('.'));
  expect(listed.length).toBeGreaterThan(9000);
  const domains = listed.flatMap((name) => [
    name,
    `a.${name}`,
    `x.y.z.${name}`,
    `not${name}`,
    `${name}.co.uk`,
  ]);
  await compare(domains.map((domain) => ({ local: 'jane.smith', domain })));
});

it('by second levels of other countries, and by names like endings', async () => {
  const names = [
    'ac',
    'edu',
    'gov',
    'gov.x',
    'x.gov',
    'academic',
    'uk',
    'uk.com',
    'london',
    'scot.acme',
    'nhs',
  ];
  const endings = [
    'nz',
    'au',
    'ie',
    'uk',
    'com',
    'scot',
    'wales',
    'london',
    'co.uk',
    'org.uk',
    'edu',
    'info',
  ];
  const domains = names.flatMap((name) =>
    endings.flatMap((ending) => [`${name}.${ending}`, `leeds.${name}.${ending}`]),
  );
  await compare(domains.map((domain) => ({ local: 'jane.smith', domain })));
});

const { whole, placeholders, general, words, machines } = listedRoles();

it('by every listed local part, with numbers, tags and separators', { timeout: 300_000 }, async () => {
  const each = [...whole, ...placeholders, ...general, ...words, ...machines];
  const locals = each.flatMap((one) => [
    one,
    `${one}1`,
    `${one}+tag`,
    `${one}.uk`,
    `${one}-leeds`,
    `the${one}`,
    `${one}office`,
    `${one}x`,
    `x${one}`,
    `jane.${one}`,
    `${one[0]}.${one.slice(1)}`,
    `12${one}`,
    `no-reply.${one}`,
  ]);
  for (const domain of ['acme.co.uk', 'email.com', 'null.org', 'gmail.com', 'leeds.nhs.uk'])
    await compare(locals.map((local) => ({ local, domain })));
});

it('by made-up local parts and domains', { timeout: 300_000 }, async () => {
  const word = fc.oneof(
    fc.constantFrom(...general, ...words, ...machines, ...placeholders),
    fc.stringMatching(/^[a-z0-9]{1,6}$/),
  );
  const mark = fc.constantFrom('', '', '.', '-', '_', '+', '1', '22');
  const local = fc
    .array(fc.tuple(word, mark), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map(([one, sign]) => one + sign).join(''))
    .filter((text) => /^[a-z0-9].*[a-z0-9]$/.test(text) && text.length < 60);
  const label = fc.oneof(
    fc.constantFrom('acme', 'gmail', 'nhs', 'gov', 'email', 'uk', 'example', 'bbc'),
    word,
  );
  const domain = fc
    .tuple(
      fc.array(label, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('com', 'co.uk', 'uk', 'de', 'org', 'scot', 'ie'),
    )
    .map(([labels, ending]) => [...labels.map((one) => one.replace(/[._-]/g, '')), ending].join('.'));
  const contact = fc.record({ local, domain });
  await compare(fc.sample(contact, 12_000));
});
