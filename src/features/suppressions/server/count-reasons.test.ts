import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { everybody, type Tree } from '#features/audience/rules/tree.ts';
import { audienceOf } from '#features/audience/server/index.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { countReasons } from './count-reasons.ts';

// 400 contacts: 160 have unsubscribed, 80 bounced, 40 are of a suppressed domain.

const audience = audienceOf([]);
let product: TestApp;
let me: SignedIn;

beforeAll(async () => {
  product = await openTestApp();
  product.tasks.startWork();
  me = await signUp(product.app);
  const names = Array.from({ length: 360 }, (_, n) => `p${n}@shop.co.uk`);
  const closed = Array.from({ length: 40 }, (_, n) => `p${n}@closed.co.uk`);
  await importCsv(product.app, me.cookie, `email\n${[...names, ...closed].join('\n')}\n`);
  const headers = { cookie: me.cookie };
  await product.app.inject({
    ...{ method: 'POST', url: '/api/suppressions/domain', headers, payload: { domain: 'closed.co.uk' } },
  });
  await product.database.asTenant(me.workspaceId, async (tx) => {
    for (const [reason, from, to] of [
      ['unsubscribed', 0, 160],
      ['bounced', 160, 240],
      // Nobody has these addresses.
      ['imported', 1_000, 1_100],
    ] as const) {
      await sql`
        insert into suppressions (workspace_id, local, domain, reason)
        select ${me.workspaceId}::bigint, 'p' || n, 'shop.co.uk', ${reason}
        from generate_series(${from}::int, ${to}::int - 1) n`.execute(tx);
      await sql`
        insert into suppression_counts (workspace_id, list, part, entries)
        values (${me.workspaceId}, 'email', ${reason}, ${to - from})`.execute(tx);
    }
  });
});
afterAll(() => product.close());

const count = (tree: Tree, suppressed: number, limits?: { read: number; looks: number }) =>
  product.database.asTenant(me.workspaceId, (tx) =>
    countReasons(audience, tx, me.workspaceId, { tree, suppressed }, limits),
  );
const shop: Tree = { version: 1, all: [{ condition: 'domain', value: 'shop.co.uk' }] };
const few: Tree = { version: 1, all: [{ condition: 'search', value: 'p1' }] };
const fewReasons = { unsubscribed: 71, bounced: 40 };

it('reads the list where it is short', async () => {
  const reasons = { unsubscribed: 160, bounced: 80 };
  expect(await count(everybody, 280)).toEqual({ reasons, domains: 40, isEstimate: false });
  expect(await count(shop, 240)).toEqual({ reasons, domains: 0, isEstimate: false });
  // p1, p10 to p19, p100 to p199 of the shop; 11 of the suppressed domain.
  expect(await count(few, 122)).toEqual({ reasons: fewReasons, domains: 11, isEstimate: false });
});

it('reads the audience where that is short, and the list long', async () => {
  const limits = { read: 339, looks: 1 };
  const few: Tree = { version: 1, all: [{ condition: 'domain', value: 'closed.co.uk' }] };
  expect(await count(few, 40, limits)).toEqual({ reasons: {}, domains: 40, isEstimate: false });
});

it('estimates from a sample where both are long', async () => {
  const sampled = await count(everybody, 280, { read: 0, looks: 100 });
  expect(sampled?.isEstimate).toBe(true);
  expect(sampled?.reasons).toEqual({ unsubscribed: 160, bounced: 80 });
  expect(sampled?.domains).toBe(40);
  // Too few looks to say anything.
  expect(await count(everybody, 280, { read: 0, looks: 20 })).toBeNull();
});
