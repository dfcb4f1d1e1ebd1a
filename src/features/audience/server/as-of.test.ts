import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import type { Tree } from '../rules/tree.ts';
import { audienceOf } from './audience.ts';

let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
  person = await signUp(app.app);
});
afterAll(() => app.close());

async function call(method: 'POST' | 'DELETE', url: string, payload?: object) {
  const { cookie } = person;
  return (await app.app.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) })).json();
}
const add = async (name: string): Promise<number> =>
  (await call('POST', '/api/emails', { email: `${name}@acme.co.uk` })).id;
const audience = audienceOf([]);
const all = { version: 1, all: [] } as const satisfies Tree;

it('is who was there when it was asked, without who comes back from the bin afterwards', async () => {
  const { workspaceId } = person;
  const [ann, bob, cat] = [await add('ann'), await add('bob'), await add('cat')];
  const before = await call('DELETE', `/api/emails/${ann}`);
  const after = await call('DELETE', `/api/emails/${bob}`);
  await call('POST', `/api/removals/${before.removalId}/restore`);
  const asOf = await app.database.asTenant(workspaceId, (tx) => audience.now(tx, workspaceId, all));
  await call('POST', `/api/removals/${after.removalId}/restore`);
  await add('dan');
  const meant = (at?: typeof asOf) =>
    app.database.asTenant(workspaceId, async (tx) => {
      const chosen = await audience.conditionForWalk(tx, workspaceId, all, at);
      const { rows } = await sql<{ id: number }>`
        select c.id from contacts c where c.workspace_id = ${workspaceId} and (${chosen}) order by c.id`.execute(
        tx,
      );
      return rows.map(({ id }) => id);
    });
  expect(await meant(audience.asOf.parse(JSON.parse(JSON.stringify(asOf))))).toEqual([ann, cat]);
  expect(await meant({ lastId: asOf.lastId, coming: [] })).toEqual([ann, bob, cat]);
});
