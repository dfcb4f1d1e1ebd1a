import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { staysAway } from '#features/tracking/server/index.ts';
import { miscounted } from '#test/support/miscounted.ts';
import { type Mailing, openTracked, type Tracked } from '#test/support/tracked-sends.ts';

// Whoever leaves or takes a break does so at every address by which they are mailed, and no longer
// than they want to.

let tracked: Tracked;
let mailing: Mailing;
let slip: Awaited<ReturnType<Tracked['send']>>;
let links: ReturnType<Mailing['linksOf']>;
let people = 0;

beforeAll(async () => {
  tracked = await openTracked();
  mailing = await tracked.mailing({ html: '<p>Hello</p>' });
});
afterAll(() => tracked.test.close());
/** Somebody whose address was written wrong. */
beforeEach(async () => {
  slip = await tracked.send(mailing, `slip${++people}@gmial.com`);
  links = mailing.linksOf(slip.sendId);
});

const post = (url: string, form: Record<string, string>) =>
  tracked.test.app.inject({
    ...{ method: 'POST', url: url.replace(/^https?:\/\/[^/]+/, '') },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  });
const oneClick = { 'List-Unsubscribe': 'One-Click' };
const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  (
    await tracked.test.app.inject({
      ...{ method, url, headers: { cookie: tracked.owner.cookie } },
      ...(payload ? { payload } : {}),
    })
  ).json();
/** Takes the suggested address for them, at gmail.com. */
const correct = async (): Promise<number> => {
  await call('POST', '/api/verifications');
  const done = await call('POST', '/api/review/corrections/accept', { ids: [slip.contactId] });
  expect(done).toMatchObject({ corrected: 1 });
  return done.correctionId;
};
const add = async (domain: string): Promise<number> =>
  (await call('POST', '/api/emails', { email: `${slip.local}@${domain}`, checkSuppressions: false })).id;

/** The reason for which they are on the suppression list with this domain. */
async function reasonAt(domain: string): Promise<string | undefined> {
  const { rows } = await tracked.test.database.asTenant(slip.workspaceId, (tx) =>
    sql<{ reason: string }>`
      select reason from suppressions
      where workspace_id = ${slip.workspaceId} and local = ${slip.local} and domain = ${domain}`.execute(tx),
  );
  return rows[0]?.reason;
}
const reasons = async () => [await reasonAt('gmial.com'), await reasonAt('gmail.com')];
const both = (reason: string | undefined) => [reason, reason];
/** Why a contact stays away although nothing suppresses it. */
async function awayBy(contactId: number): Promise<string | null | undefined> {
  const { rows } = await tracked.test.database.asTenant(slip.workspaceId, (tx) =>
    sql<{ away: string | null }>`
      select ${staysAway} as away from contacts c
      where c.workspace_id = ${slip.workspaceId} and c.id = ${contactId}`.execute(tx),
  );
  return rows[0]?.away;
}
const statusOf = async (id: number) => (await call('GET', `/api/emails/${id}`)).status;

describe('a message to an address that was corrected since', () => {
  it('suppresses both addresses, and takes both back', async () => {
    await correct();
    await post(links.unsubscribe, oneClick);
    expect(await reasons()).toEqual(both('unsubscribed'));
    expect((await post(links.unsubscribe, { do: 'come-back' })).body).toContain('You get emails again');
    expect(await reasons()).toEqual(both(undefined));
    await post(links.unsubscribe, oneClick);
    // Nobody comes back by the old address, whoever adds it anew.
    await call('DELETE', `/api/emails/${slip.contactId}`);
    expect(await statusOf(await add('gmial.com'))).toBe('suppressed');
    expect(await miscounted(tracked.test, slip.workspaceId)).toEqual([]);
  });

  it('suppresses whoever has the old address by now', async () => {
    await correct();
    const again = await add('gmial.com');
    await post(links.unsubscribe, oneClick);
    expect(await statusOf(again)).toBe('suppressed');
  });

  it('begins and ends a break at both', async () => {
    await correct();
    const again = await add('gmial.com');
    const away = async () => [await awayBy(slip.contactId), await awayBy(again)];
    await post(links.preferences, { pause: '3' });
    expect(await away()).toEqual(['paused', 'paused']);
    await post(links.preferences, { do: 'end-pause' });
    expect(await away()).toEqual([null, null]);
  });
});
