// Tests of: field-changes, basis, memberships, verification
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { holdRemovals } from '#features/bin/server/index.ts';
import { inBackground } from '#platform/server/call-context.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { waitingForLocks } from '#test/support/waiting-for-locks.ts';

// Tasks on contacts that are not valid, while a verification finds more of them valid.

const contacts = 10_050;
let app: TestApp;
let person: SignedIn;

beforeAll(async () => {
  app = await openTestApp();
  person = await signUp(app.app);
  const rows = Array.from({ length: contacts }, (_, at) => `p${at}@acme.co.uk\n`).join('');
  expect((await importCsv(app.app, person.cookie, `email\n${rows}`)).json().imported).toBe(contacts);
});
afterAll(() => app.close());

async function call(method: 'GET' | 'POST', url: string, payload?: object) {
  const headers = { cookie: person.cookie, prefer: 'respond-async' };
  const answer = await app.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}

/** Finds the last contact valid, with this reason, which no other contact has. */
async function verifyLast(tx: TenantTx, reason: string): Promise<void> {
  const { workspaceId } = person;
  await sql`
    with made as (
      insert into verdict_profiles (workspace_id, verdict, reasons, risk, contacts)
      values (${workspaceId}, 'valid', array[${reason}], 5, 1) returning id
    )
    insert into contact_verifications (workspace_id, contact_id, profile_id, checked_at)
    select ${workspaceId}::bigint, (select max(id) from contacts where workspace_id = ${workspaceId}), id, now()
    from made
    on conflict (workspace_id, contact_id) do update set profile_id = excluded.profile_id`.execute(tx);
}

let asked = 0;
const make = async (what: 'lists' | 'tags', more: object = {}) =>
  (await call('POST', `/api/${what}`, { name: `No ${asked++}`, ...more })).body.id as number;

it.each<[string, () => Promise<string>, object, object]>([
  ['setting a field', async () => '/api/field-changes', { set: { notes: 'Old' } }, { changed: contacts - 1 }],
  ['saying a basis', async () => '/api/basis-changes', { basis: 'none' }, { changed: contacts - 1 }],
  ['adding to a tag', async () => `/api/tags/${await make('tags')}/contacts`, {}, { added: contacts - 1 }],
])(
  '%s passes over a contact that gets another verdict of the same kind',
  async (_what, urlOf, body, done) => {
    const { workspaceId } = person;
    const rules = { conditions: [{ field: 'verdict', operator: 'not_equals', value: 'valid' }] };
    const list = await make('lists', { isDynamic: true, segmentRules: rules });
    const url = await urlOf();
    await app.database.asTenant(workspaceId, (tx) => verifyLast(tx, `before ${asked}`));
    const taskId = await app.database.asTenant(workspaceId, async (tx) => {
      await holdRemovals(tx, workspaceId);
      const begun = await inBackground(() => call('POST', url, { filter: { list }, ...body }));
      expect(begun.status).toBe(202);
      await expect.poll(() => waitingForLocks(app)).toBe(1);
      await verifyLast(tx, `after ${asked}`);
      return begun.body.taskId;
    });
    expect((await app.tasks.finished(workspaceId, taskId)).result).toMatchObject(done);
  },
);
