import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mayAs, type Role, roles, scopesOf } from '#platform/shared/contract.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { allEndpoints, nameOf } from '#test/support/sample-calls.ts';
import { type SignedIn, signUp, signUpMember } from '#test/support/sign-in.ts';

// A key never does more than the person it acts for may at that moment.

let test: TestApp;
let owner: SignedIn;

beforeAll(async () => {
  test = await openTestApp({}, { apiKeyLimit: 100_000 });
  test.tasks.startWork();
});
afterAll(() => test.close());
beforeEach(async () => {
  owner = await signUp(test.app);
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';
const send = (headers: Record<string, string>, method: Method, url: string, payload?: object) =>
  test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
const as = ({ cookie }: SignedIn, method: Method, url: string, payload?: object) =>
  send({ cookie }, method, url, payload);
const by = (key: string, method: Method, url: string, payload?: object) =>
  send({ authorization: `Bearer ${key}` }, method, url, payload);
const join = (role: Role) =>
  signUpMember(test.app, test.database, { workspaceId: owner.workspaceId, role, name: `${role} of old` });

const scopes = [...new Set(allEndpoints().flatMap(({ definition: { access } }) => scopesOf(access)))];

interface Made {
  id: number;
  key: string;
}
const make = async (who: SignedIn): Promise<Made> =>
  (await as(who, 'POST', '/api/keys', { name: 'Website', scopes })).json();
const list = async (who = owner) => (await as(who, 'GET', '/api/keys')).json();
const memberOf = async ({ email }: SignedIn): Promise<{ id: number; apiKeys: number }> =>
  (await as(owner, 'GET', '/api/team/members')).json().find((one: { email: string }) => one.email === email);
const give = async (who: SignedIn, role: Role, more: object = {}) =>
  as(owner, 'PATCH', `/api/team/members/${(await memberOf(who)).id}`, { role, ...more });
const remove = async (who: SignedIn, query = '') =>
  as(owner, 'DELETE', `/api/team/members/${(await memberOf(who)).id}${query}`);
const opens = async ({ key }: Made) => (await by(key, 'GET', '/api/emails?limit=1')).statusCode;
const add = ({ key }: Made, email: string) => by(key, 'POST', '/api/emails', { email });
const audit = async () => {
  const { items } = (await as(owner, 'GET', '/api/audit?area=keys')).json();
  return items.map(({ actor, action }: { actor: string; action: string }) => [actor, action]);
};

describe('a key', () => {
  it('is listed with who made it and whom it acts for', async () => {
    const admin = await join('admin');
    await make(admin);
    expect(await list()).toEqual([
      expect.objectContaining({
        createdBy: 'admin of old',
        holder: { name: 'admin of old', email: admin.email, role: 'admin', isSuspended: false, isYou: false },
      }),
    ]);
    expect((await list(admin))[0].holder.isYou).toBe(true);
    expect((await memberOf(admin)).apiKeys).toBe(1);
  });

  it('does in each call what the role of its holder allows, and no more', async () => {
    const admin = await join('admin');
    const { key } = await make(admin);
    const calls = allEndpoints().filter(({ definition: { access } }) => scopesOf(access).length > 0);
    expect(calls.length).toBeGreaterThan(30);
    for (const role of roles.toReversed().filter((one) => one !== 'owner')) {
      expect((await give(admin, role)).statusCode).toBe(200);
      for (const { definition } of calls) {
        const { access, method, path } = definition;
        if (access.kind !== 'member' || mayAs(role, access.role)) continue;
        const answer = await by(key, method, path.replace(/:\w+/g, '1'));
        expect([role, nameOf(definition), answer.statusCode]).toEqual([role, nameOf(definition), 403]);
        expect(answer.json().message).toContain(`acts for is ${role}`);
      }
      const may = [200, mayAs(role, 'editor') ? 201 : 403];
      expect([
        await opens({ id: 0, key }),
        (await add({ id: 0, key }, `${role}@millbank.co.uk`)).statusCode,
      ]).toEqual(may);
    }
  });

  it('does more again when its holder may more, or another takes it over', async () => {
    const admin = await join('admin');
    const made = await make(admin);
    await give(admin, 'viewer');
    expect((await add(made, 'no@millbank.co.uk')).statusCode).toBe(403);
    await give(admin, 'editor');
    expect((await add(made, 'yes@millbank.co.uk')).statusCode).toBe(201);
    await give(admin, 'viewer');
    const taken = await as(owner, 'POST', `/api/keys/${made.id}/take-over`);
    expect(taken.json()).toMatchObject({ createdBy: 'admin of old', holder: { role: 'owner', isYou: true } });
    expect((await add(made, 'again@millbank.co.uk')).statusCode).toBe(201);
    expect((await memberOf(admin)).apiKeys).toBe(0);
    expect(await audit()).toEqual([
      [owner.email, 'api_key.taken_over'],
      [admin.email, 'api_key.created'],
    ]);
    // Once more changes nothing.
    expect((await as(owner, 'POST', `/api/keys/${made.id}/take-over`)).statusCode).toBe(200);
    expect(await audit()).toHaveLength(2);
  });

  it('is taken over with the change of a role, when that is asked for', async () => {
    const admin = await join('admin');
    const made = await make(admin);
    expect((await give(admin, 'viewer', { apiKeys: 'take_over' })).json()).toMatchObject({ apiKeys: 0 });
    expect((await add(made, 'on@millbank.co.uk')).statusCode).toBe(201);
  });

  it.each(['viewer', 'editor', 'sender'] as const)('is not taken over by a %s', async (role) => {
    const made = await make(owner);
    expect((await as(await join(role), 'POST', `/api/keys/${made.id}/take-over`)).statusCode).toBe(403);
    const stranger = await signUp(test.app);
    expect((await as(stranger, 'POST', `/api/keys/${made.id}/take-over`)).statusCode).toBe(404);
    expect((await list())[0].holder.isYou).toBe(true);
  });
});

describe('when its holder leaves, a key', () => {
  it('is revoked, and is not alive again when they come back', async () => {
    const admin = await join('admin');
    const made = await make(admin);
    const kept = await make(owner);
    expect((await remove(admin)).json()).toEqual({ removed: 1, apiKeys: 1 });
    expect([await opens(made), await opens(kept)]).toEqual([401, 200]);
    expect((await list()).map(({ id }: Made) => id)).toEqual([kept.id]);
    expect((await audit())[0]).toEqual([owner.email, 'api_key.revoked']);
    await sql`insert into members (workspace_id, user_id, role)
      values (${owner.workspaceId}, ${Number(admin.userId)}, 'admin')`.execute(test.database.system);
    expect(await opens(made)).toBe(401);
  });

  it('goes on when whoever removes them takes it over', async () => {
    const admin = await join('admin');
    const made = await make(admin);
    expect((await remove(admin, '?apiKeys=take_over')).json()).toEqual({ removed: 1, apiKeys: 1 });
    expect(await opens(made)).toBe(200);
    expect((await list())[0]).toMatchObject({ createdBy: 'admin of old', holder: { isYou: true } });
  });

  it('is revoked when they go by themselves', async () => {
    const admin = await join('admin');
    const made = await make(admin);
    expect((await as(admin, 'POST', '/api/team/leave')).statusCode).toBe(200);
    expect(await opens(made)).toBe(401);
  });

  it('opens nothing, however they left, and can be taken over', async () => {
    const admin = await join('admin');
    const made = await make(admin);
    // As a process of an earlier version removes somebody.
    await sql`delete from members where user_id = ${Number(admin.userId)} and workspace_id = ${owner.workspaceId}`.execute(
      test.database.system,
    );
    const refused = await by(made.key, 'GET', '/api/emails');
    expect([refused.statusCode, refused.json().message]).toEqual([
      401,
      expect.stringContaining('not a member any more'),
    ]);
    expect((await list())[0].holder).toMatchObject({ email: admin.email, role: null });
    await as(owner, 'POST', `/api/keys/${made.id}/take-over`);
    expect(await opens(made)).toBe(200);
  });

  it('opens nothing while they are suspended', async () => {
    const admin = await join('admin');
    const made = await make(admin);
    const suspend = (at: string | null) =>
      sql`update users set suspended_at = ${at}::timestamptz where id = ${Number(admin.userId)}`.execute(
        test.owner.system,
      );
    await suspend('2026-01-01');
    expect(await opens(made)).toBe(401);
    expect((await list())[0].holder).toMatchObject({ role: 'admin', isSuspended: true });
    await suspend(null);
    expect(await opens(made)).toBe(200);
  });

  it('opens nothing in a process of an earlier version either', async () => {
    const admin = await join('admin');
    await make(admin);
    const usable = async () => {
      const { rows } = await sql`
        select u.* from api_keys k, use_api_key(k.workspace_id, k.hash, 60) u
        where k.workspace_id = ${owner.workspaceId}`.execute(test.owner.system);
      return rows.length;
    };
    expect(await usable()).toBe(1);
    await sql`delete from members where user_id = ${Number(admin.userId)} and workspace_id = ${owner.workspaceId}`.execute(
      test.database.system,
    );
    expect(await usable()).toBe(0);
  });
});

describe('at the same moment', () => {
  const rounds = Array.from({ length: 12 }, (_, round) => round);

  it('a key made by somebody who is being removed opens nothing', async () => {
    for (const _ of rounds) {
      const admin = await join('admin');
      const { id } = await memberOf(admin);
      const [made, removed] = await Promise.all([
        // Once removed, they are at work in their own workspace, which their page says it does not
        // show.
        test.app.inject({
          method: 'POST',
          url: '/api/keys',
          headers: { cookie: admin.cookie, 'x-workspace': String(owner.workspaceId) },
          payload: { name: 'Late', scopes },
        }),
        as(owner, 'DELETE', `/api/team/members/${id}`),
      ]);
      expect(removed.statusCode).toBe(200);
      // Refused, or made and then revoked with the others.
      if (made.statusCode === 201) expect(await opens(made.json())).toBe(401);
      expect(await list()).toEqual([]);
    }
  });

  it('a call in flight ends one way or the other, and each one after the removal is refused', async () => {
    const admin = await join('admin');
    const made = await make(admin);
    const { id } = await memberOf(admin);
    const calls = Array.from({ length: 40 }, (_, at) => add(made, `flight${at}@millbank.co.uk`));
    const removed = await as(owner, 'DELETE', `/api/team/members/${id}`);
    expect(removed.statusCode).toBe(200);
    expect((await add(made, 'after@millbank.co.uk')).statusCode).toBe(401);
    const statuses = (await Promise.all(calls)).map(({ statusCode }) => statusCode);
    expect([201, 401]).toEqual(expect.arrayContaining([...new Set(statuses)]));
    const { totalCount } = (await as(owner, 'GET', '/api/emails')).json();
    expect(totalCount).toBe(statuses.filter((status) => status === 201).length);
  });

  it('a key taken over by somebody who is being removed opens nothing in their name', async () => {
    for (const _ of rounds) {
      const made = await make(owner);
      const admin = await join('admin');
      const { id } = await memberOf(admin);
      await Promise.all([
        as(admin, 'POST', `/api/keys/${made.id}/take-over`),
        as(owner, 'DELETE', `/api/team/members/${id}`),
      ]);
      const held = (await list()).find((one: Made) => one.id === made.id);
      expect([held?.holder.isYou, await opens(made)]).toEqual(held ? [true, 200] : [undefined, 401]);
      await as(owner, 'DELETE', `/api/keys/${made.id}`);
    }
  });

  it('a key of somebody who is being removed is taken over or revoked, never both', async () => {
    for (const _ of rounds) {
      const admin = await join('admin');
      const made = await make(admin);
      const { id } = await memberOf(admin);
      const [taken] = await Promise.all([
        as(owner, 'POST', `/api/keys/${made.id}/take-over`),
        as(owner, 'DELETE', `/api/team/members/${id}`),
      ]);
      expect(await opens(made)).toBe(taken.statusCode === 200 ? 200 : 401);
      expect([200, 404]).toContain(taken.statusCode);
    }
  });

  it('a lowered role holds for each call that begins after it', async () => {
    const admin = await join('admin');
    const made = await make(admin);
    const { id } = await memberOf(admin);
    const calls = Array.from({ length: 20 }, (_, at) => add(made, `lower${at}@millbank.co.uk`));
    await as(owner, 'PATCH', `/api/team/members/${id}`, { role: 'viewer' });
    expect((await add(made, 'after@millbank.co.uk')).statusCode).toBe(403);
    for (const { statusCode } of await Promise.all(calls)) expect([201, 403]).toContain(statusCode);
  });
});
