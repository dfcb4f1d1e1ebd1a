import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accuracyOfLabelledSet } from '#features/addresses/server/index.ts';
import * as contract from '#features/admin/contract.ts';
import { importCsv, openTestApp, type TestApp } from '#test/support/app.ts';
import { cookieOf, type SignedIn, signUp, signUpMember, testPassword } from '#test/support/sign-in.ts';

const adminEmail = 'boss@harrowgatefoods.co.uk';

let test: TestApp;
let boss: SignedIn;
let priya: SignedIn;
let tom: SignedIn;
let firm: string;
let firms = 0;

beforeAll(async () => {
  test = await openTestApp({ ADMIN_EMAIL: adminEmail });
  // With no mail server, anyone on this machine who signs up with the administrator's address is
  // believed.
  boss = await signUp(test.app, { email: adminEmail, name: 'Wendy Boss' });
});
beforeEach(async () => {
  firms += 1;
  firm = `cheese${firms}.co.uk`;
  priya = await signUp(test.app, { email: `priya@${firm}`, name: 'Priya Anand Shah' });
  tom = await signUpMember(test.app, test.database, {
    workspaceId: priya.workspaceId,
    role: 'editor',
    email: `tom.of.${firms}@gmail.com`,
    name: 'Tom Reed',
  });
});
afterAll(() => test?.close());

const get = async (url: string, who: SignedIn = boss) =>
  test.app.inject({ url, headers: { cookie: who.cookie } });
const post = async (url: string, payload: object = {}, who: SignedIn = boss) =>
  test.app.inject({ method: 'POST', url, headers: { cookie: who.cookie }, payload });
const found = async <T>(url: string): Promise<T> => {
  const answer = await get(url);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json() as T;
};
const signIn = (email: string) =>
  test.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email, password: testPassword },
  });
const actions = async () => (await found<{ items: contract.AdminAction[] }>('/api/admin/actions')).items;

describe('who may call', () => {
  const endpoints = Object.values(contract).filter(
    (one): one is typeof contract.getAdminStats => typeof one === 'object' && 'access' in one,
  );

  it('knows every call of the administrator', () => {
    expect(endpoints.length).toBeGreaterThanOrEqual(15);
  });

  it.each(endpoints.map(({ method, path }) => [`${method} ${path}`, method, path] as const))(
    '%s is refused to everybody else',
    async (_name, method, path) => {
      const url = path
        .replace(':workspaceId', String(priya.workspaceId))
        .replace(':name', 'mail.deliver')
        .replace(':id', path.includes('/jobs/') ? '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' : tom.userId);
      const owner = await test.app.inject({ method, url, headers: { cookie: priya.cookie } });
      expect({ status: owner.statusCode, ...owner.json() }).toMatchObject({
        status: 403,
        message: "You don't have permission to access the admin panel.",
      });
      expect((await test.app.inject({ method, url })).statusCode).toBe(401);
      expect((await get('/api/auth/user', tom)).statusCode).toBe(200);
    },
  );
});

describe('figures', () => {
  it('add up to what is there', async () => {
    const stats = () => found<contract.AdminStats>('/api/admin/stats');
    const before = await stats();
    expect(before.totalUsers).toBeGreaterThanOrEqual(3);
    expect(before.campaignsToday).toBe(0);
    await signUp(test.app);
    const csv = 'email\nanna@harrow.co.uk\nbob@leeds.ac.uk\nnot an address\nanna@harrow.co.uk\n';
    expect((await importCsv(test.app, priya.cookie, csv)).statusCode).toBe(200);
    expect((await importCsv(test.app, boss.cookie, 'email\ncarol@york.gov.uk\n')).statusCode).toBe(200);
    const verified = await post('/api/verifications', { dns: false }, priya);
    expect(verified.statusCode, verified.body).toBe(200);
    const { contacts } = verified.json();
    expect(contacts).toBeGreaterThan(0);
    // Four rows and one, from two workspaces, plus the contacts that the verification looked at.
    expect(await stats()).toMatchObject({
      totalUsers: before.totalUsers + 1,
      newUsersThisMonth: before.newUsersThisMonth + 1,
      activeSessions: before.activeSessions + 1,
      emailsProcessed: before.emailsProcessed + 5 + contacts,
      emailsThisMonth: before.emailsThisMonth + 5 + contacts,
      aiJobsToday: before.aiJobsToday + 1,
    });
  });

  it('leave out of the month and the day what was before them', async () => {
    const stats = () => found<contract.AdminStats>('/api/admin/stats');
    expect((await importCsv(test.app, priya.cookie, 'email\ncarol@york.gov.uk\n')).statusCode).toBe(200);
    expect((await post('/api/verifications', { dns: false }, priya)).statusCode).toBe(200);
    const before = await stats();
    const { workspaceId } = priya;
    await sql`update imports set finished_at = now() - interval '40 days', started_at = now() - interval '41 days'
              where workspace_id = ${workspaceId}`.execute(test.owner.system);
    await sql`update verification_runs set started_at = now() - interval '2 days'
              where workspace_id = ${workspaceId}`.execute(test.owner.system);
    await sql`update users set created_at = now() - interval '40 days' where id = ${Number(tom.userId)}`.execute(
      test.owner.system,
    );
    expect(await stats()).toMatchObject({
      totalUsers: before.totalUsers,
      newUsersThisMonth: before.newUsersThisMonth - 1,
      emailsProcessed: before.emailsProcessed,
      emailsThisMonth: before.emailsThisMonth - 1,
      aiJobsToday: before.aiJobsToday - 1,
    });
  });

  it('count the database and the files beside it', async () => {
    const fresh = await test.again();
    const folder = join(test.dataDir, 'files', 'a', 'b');
    mkdirSync(folder, { recursive: true });
    const read = async (app: typeof fresh) =>
      (
        await app.app.inject({ url: '/api/admin/stats', headers: { cookie: boss.cookie } })
      ).json() as contract.AdminStats;
    const before = await read(fresh);
    writeFileSync(join(folder, 'list.csv'), Buffer.alloc(123_456));
    const after = await read(await test.again());
    expect(after.storage.files - before.storage.files).toBe(123_456);
    expect(after.storageUsed).toBe(after.storage.files + after.storage.database);
    expect(after.storage.database).toBeGreaterThan(1_000_000);
  });

  it('put everybody on the free plan, which brings in nothing', async () => {
    const { totalUsers } = await found<contract.AdminStats>('/api/admin/stats');
    expect(await found<contract.Subscriptions>('/api/admin/subscriptions')).toEqual({
      activeSubscriptions: 0,
      subscriptionGrowth: 0,
      monthlyRevenue: 0,
      revenueGrowth: 0,
      planDistribution: [{ planId: 'free', userCount: totalUsers, monthlyValue: 0 }],
    });
  });

  it('measure imports of the last 30 days and the labelled set', async () => {
    await sql`update imports set finished_at = now() - interval '40 days'`.execute(test.owner.system);
    const csv = 'email\nanna@harrow.co.uk\nbob@leeds.ac.uk\nnot an address\nanna@harrow.co.uk\n';
    expect((await importCsv(test.app, priya.cookie, csv)).statusCode).toBe(200);
    await sql`update imports set started_at = finished_at - interval '2 seconds'
              where workspace_id = ${priya.workspaceId}`.execute(test.owner.system);
    const { accuracy, processing } = await found<contract.Performance>('/api/admin/performance');
    const { addresses, right } = accuracyOfLabelledSet();
    expect(accuracy).toMatchObject({ target: 99.5, addresses, right });
    expect(accuracy.measured).toBeCloseTo((right / addresses) * 100, 1);
    expect(processing).toEqual({
      targetSeconds: 2.3,
      seconds: 2,
      secondsPer100k: 50_000,
      imports: 1,
      rows: 4,
    });
  });
});

describe('uptime', () => {
  const span = (process: string, from: string, to: string | null, stopped: boolean, role = 'all') =>
    sql`
      insert into uptime_spans (process, host, role, began_at, seen_at, stopped_at)
      select ${process}, 'here', ${role}, now() - ${from}::interval, seen, case when ${stopped}::bool then seen end
      from (select now() - coalesce(${to}::interval, '1 second') as seen) s`.execute(test.owner.system);

  beforeEach(() => sql`delete from uptime_spans`.execute(test.owner.system));

  it('is not told before anything was measured', async () => {
    const { uptime } = await found<contract.Performance>('/api/admin/performance');
    expect(uptime).toMatchObject({ measured: null, since: null, breaks: 0 });
  });

  it('counts the time in which at least one process that answers people was seen', async () => {
    // Ten hours: up for six, down for one, up for three. The overlap counts once, the worker not at
    // all.
    await span('first', '10 hours', '6 hours', true);
    await span('second', '7 hours', '4 hours', true);
    await span('third', '3 hours', null, false);
    await span('worker', '20 hours', null, false, 'worker');
    const { uptime } = await found<contract.Performance>('/api/admin/performance');
    expect(uptime.measured).toBe(90);
    expect(uptime.breaks).toBe(1);
    expect(Math.abs(uptime.downSeconds - 3600)).toBeLessThan(5);
  });

  it('ends the time of a process that fell silent where it was last seen', async () => {
    await span('first', '10 hours', '4 hours', true);
    await span('second', '3 hours', '2 hours', false);
    await span('worker', '20 hours', null, false, 'worker');
    const { uptime } = await found<contract.Performance>('/api/admin/performance');
    expect(uptime.measured).toBe(70);
  });

  it('looks back 30 days and no further', async () => {
    await span('long ago', '60 days', '15 days', true);
    const { uptime } = await found<contract.Performance>('/api/admin/performance');
    expect(uptime.measured).toBe(50);
  });
});

describe('users', () => {
  it('are the ten newest, newest first', async () => {
    const users = await found<contract.AdminUser[]>('/api/admin/users');
    expect(users.slice(0, 2).map(({ email }) => email)).toEqual([tom.email, priya.email]);
    expect(users[1]).toMatchObject({
      id: priya.userId,
      firstName: 'Priya',
      lastName: 'Anand Shah',
      currentPlan: 'free',
      status: 'active',
      workspaces: [{ id: priya.workspaceId, name: firm, role: 'owner' }],
      sessions: 1,
      isYou: false,
    });
    expect(users[0]?.workspaces).toHaveLength(2);
    for (let one = 0; one < 9; one += 1) await signUp(test.app, { name: `Extra ${one}` });
    const more = await found<contract.AdminUser[]>('/api/admin/users');
    expect(more.map(({ lastName }) => lastName)).toEqual([...'876543210', 'Reed']);
  });

  it('are found by name, address or workspace, page by page', async () => {
    type Found = { items: contract.AdminUser[]; totalCount: number };
    const search = (text: string) => found<Found>(`/api/admin/users/search?${text}`);
    const { userId } = await signUp(test.app, { email: 'wyn@harbour.co.uk', name: 'Wyn Olwen Pryce' });
    expect((await search('search=olwen')).items.map(({ id }) => id)).toEqual([userId]);
    expect((await search('search=WYN%40harb')).totalCount).toBe(1);
    // Priya owns it and Tom is a member.
    expect((await search(`search=${firm}`)).totalCount).toBe(2);
    expect((await search('search=%25')).totalCount).toBe(0);
    expect((await search(`search=${adminEmail}`)).items).toMatchObject([{ id: boss.userId, isYou: true }]);
    for (let one = 0; one < 9; one += 1) await signUp(test.app, { name: `Spare ${one}` });
    const second = await search('search=spare&page=2&limit=4');
    expect(second.totalCount).toBe(9);
    expect(second.items.map(({ lastName }) => lastName)).toEqual(['4', '3', '2', '1']);
  });
});

describe('suspending a user', () => {
  const reason = 'Sends to bought lists';
  const suspend = async () => {
    const answer = await post(`/api/admin/users/${tom.userId}/suspend`, { reason });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  };

  it('ends their sessions at once, and keeps them from signing in with a sentence that says why', async () => {
    expect((await get('/api/auth/user', tom)).statusCode).toBe(200);
    expect(await suspend()).toMatchObject({
      status: 'suspended',
      suspension: { by: adminEmail, reason },
      sessions: 0,
    });
    expect((await get('/api/auth/user', tom)).statusCode).toBe(401);
    expect((await get('/api/emails', tom)).statusCode).toBe(401);
    const again = await signIn(tom.email);
    expect(again.statusCode).toBe(403);
    expect(again.json().message).toContain('This account is suspended.');
    expect(again.headers['set-cookie']).toBeUndefined();
  });

  it('tells who has the wrong password nothing of it', async () => {
    await suspend();
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      payload: { email: tom.email, password: 'not the password at all' },
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.body).not.toContain('suspended');
  });

  it('counts no session that a sign-in at that very moment leaves behind', async () => {
    await suspend();
    await sql`
      insert into sessions (user_id, token, expires_at)
      select ${Number(tom.userId)}, 'left-behind', now() + interval '1 day'`.execute(test.owner.system);
    expect((await get('/api/auth/user', tom)).statusCode).toBe(401);
    await sql`delete from sessions where token = 'left-behind'`.execute(test.owner.system);
  });

  it('ends a link that would give the account another address', async () => {
    const cookie = cookieOf((await signIn(tom.email)).headers['set-cookie']);
    const email = 'mallory.waits@gmail.com';
    const asked = await post('/api/account/email', { email, password: testPassword }, { ...tom, cookie });
    expect(asked.statusCode, asked.body).toBe(200);
    const { rows } = await sql<{ link: string }>`
      select link from outbox where recipient = ${email}`.execute(test.owner.system);
    const token = new URL(rows[0]?.link ?? 'none:').searchParams.get('token');
    await suspend();
    await post(`/api/admin/users/${tom.userId}/lift`);
    const again = cookieOf((await signIn(tom.email)).headers['set-cookie']);
    const confirmed = await post('/api/auth/confirm-email', { token }, { ...tom, cookie: again });
    expect(confirmed.statusCode).toBe(410);
  });

  it('stops the keys they made for as long as it lasts', async () => {
    await sql`update members set role = 'admin' where user_id = ${Number(tom.userId)}`.execute(
      test.owner.system,
    );
    const cookie = cookieOf((await signIn(tom.email)).headers['set-cookie']);
    const made = await test.app.inject({
      method: 'POST',
      url: '/api/keys',
      headers: { cookie },
      payload: { name: 'Website', scopes: ['contacts:read'] },
    });
    const { key } = made.json();
    const use = async () =>
      (await test.app.inject({ url: '/api/emails', headers: { authorization: `Bearer ${key}` } })).statusCode;
    expect(await use()).toBe(200);
    await suspend();
    expect(await use()).toBe(401);
    await post(`/api/admin/users/${tom.userId}/lift`);
    expect(await use()).toBe(200);
  });

  it('is found by its status, and refused twice', async () => {
    await suspend();
    const ofFirm = async (status: string) => {
      const url = `/api/admin/users/search?status=${status}&search=${firm}`;
      const { items } = await found<{ items: contract.AdminUser[] }>(url);
      return items.map(({ id }) => id);
    };
    expect(await ofFirm('suspended')).toEqual([tom.userId]);
    expect(await ofFirm('active')).toEqual([priya.userId]);
    const twice = await post(`/api/admin/users/${tom.userId}/suspend`);
    expect({ status: twice.statusCode, ...twice.json() }).toMatchObject({
      status: 409,
      message: `${tom.email} is suspended already.`,
    });
  });

  it('can be lifted, and then they sign in as before', async () => {
    await suspend();
    const answer = await post(`/api/admin/users/${tom.userId}/lift`);
    expect(answer.json()).toMatchObject({ status: 'active', suspension: null });
    expect((await signIn(tom.email)).statusCode).toBe(200);
    expect((await post(`/api/admin/users/${tom.userId}/lift`)).statusCode).toBe(409);
  });

  it('is not for oneself, nor for nobody', async () => {
    const self = await post(`/api/admin/users/${boss.userId}/suspend`);
    expect({ status: self.statusCode, ...self.json() }).toMatchObject({
      status: 409,
      message: 'You cannot suspend your own account.',
    });
    expect((await get('/api/auth/user')).statusCode).toBe(200);
    expect((await post('/api/admin/users/999999/suspend')).statusCode).toBe(404);
  });

  it('stands in the record of the administrator and in the audit logs of the workspaces concerned', async () => {
    await suspend();
    expect((await post(`/api/admin/users/${tom.userId}/lift`)).statusCode).toBe(200);
    const mine = (await actions()).filter(({ subject }) => subject === `user:${tom.userId}`);
    expect(mine[0]?.action).toBe('user.suspension_lifted');
    expect(mine.at(-1)).toMatchObject({
      action: 'user.suspended',
      actor: adminEmail,
      details: { email: tom.email, reason, sessionsEnded: 1 },
    });
    const { rows } = await sql<{ workspaceId: number; action: string }>`
      select workspace_id as "workspaceId", action from audit_log
      where subject = ${`user:${tom.userId}`} and action = 'account.suspended' order by 1`.execute(
      test.owner.system,
    );
    const workspaces = new Set(rows.map(({ workspaceId }) => workspaceId));
    expect(workspaces.size).toBe(2);
    expect(workspaces.has(priya.workspaceId)).toBe(true);
  });

  it('leaves a record that the product itself cannot change', async () => {
    await expect(sql`delete from admin_actions`.execute(test.database.system)).rejects.toThrow(
      /permission denied/,
    );
    await expect(sql`update admin_actions set actor = ''`.execute(test.database.system)).rejects.toThrow(
      /permission denied/,
    );
  });
});

describe('signing a user out everywhere', () => {
  it('ends every session of theirs and nobody else’s', async () => {
    expect((await signIn(priya.email)).statusCode).toBe(200);
    const answer = await post(`/api/admin/users/${priya.userId}/sign-out`);
    expect(answer.json()).toEqual({ sessionsEnded: 2 });
    expect((await get('/api/auth/user', priya)).statusCode).toBe(401);
    expect((await get('/api/auth/user')).statusCode).toBe(200);
    expect((await signIn(priya.email)).statusCode).toBe(200);
    expect((await actions())[0]).toMatchObject({
      action: 'user.signed_out_everywhere',
      details: { sessionsEnded: 2 },
    });
  });
});

describe('tasks of all workspaces', () => {
  beforeEach(() => sql`delete from tasks`.execute(test.owner.system));

  const insertTask = async (workspaceId: number, status: string, title: string) => {
    const { rows } = await sql<{ id: number }>`
      insert into tasks (workspace_id, kind, title, status, input, error, user_name, actor, finished_at, user_id, lease_until)
      values (${workspaceId}, 'verification.run', ${title}, ${status}, '{"contacts": 0, "selection": null, "dns": false}',
              ${status === 'failed' ? 'The disk is full.' : null}, 'Tom Reed', ${tom.email},
              ${status === 'waiting' ? null : new Date()}, ${tom.userId}, now() + interval '1 hour')
      returning id`.execute(test.owner.system);
    return rows[0]?.id as number;
  };
  type Listed = { items: contract.AdminTask[]; totalCount: number; counts: Record<string, number> };

  it('are listed by state with the workspace they are in and the sentence they failed with', async () => {
    const failed = await insertTask(priya.workspaceId, 'failed', 'Verify 7 contacts');
    const waiting = await insertTask(boss.workspaceId, 'waiting', 'Verify 8 contacts');
    await insertTask(boss.workspaceId, 'completed', 'Verify 9 contacts');
    const open = await found<Listed>('/api/admin/tasks');
    expect(open.items).toMatchObject([
      { id: waiting, workspace: { id: boss.workspaceId }, status: 'waiting' },
    ]);
    expect(open.totalCount).toBe(1);
    const broken = await found<Listed>('/api/admin/tasks?view=failed');
    expect(broken.items).toMatchObject([
      {
        id: failed,
        workspace: { id: priya.workspaceId, name: firm },
        error: 'The disk is full.',
        startedBy: 'Tom Reed',
      },
    ]);
    expect(broken.counts).toMatchObject({ waiting: 1, failed: 1, completed: 1 });
    expect(JSON.stringify(broken)).not.toContain('selection');
  });

  it('are cancelled and retried, in both records', async () => {
    const waiting = await insertTask(boss.workspaceId, 'waiting', 'Verify 8 contacts');
    const path = `/api/admin/tasks/${boss.workspaceId}/${waiting}`;
    expect((await post(`${path}/cancel`)).json()).toEqual({ status: 'cancelled' });
    expect((await post(`${path}/cancel`)).statusCode).toBe(409);
    expect((await post(`${path}/retry`)).statusCode).toBe(409);

    const failed = await insertTask(priya.workspaceId, 'failed', 'Verify 7 contacts');
    const answer = await post(`/api/admin/tasks/${priya.workspaceId}/${failed}/retry`);
    expect(answer.statusCode, answer.body).toBe(200);
    const { taskId } = answer.json();
    const ended = await test.tasks.finished(priya.workspaceId, taskId);
    expect(ended).toMatchObject({ status: 'completed', startedBy: 'Tom Reed' });

    expect((await actions()).slice(0, 2).map(({ action }) => action)).toEqual([
      'task.retried',
      'task.cancelled',
    ]);
    const { rows } = await sql<{ action: string; actor: string }>`
      select action, actor from audit_log where workspace_id = ${priya.workspaceId} and action like 'task.%'`.execute(
      test.owner.system,
    );
    expect(rows).toEqual([{ action: 'task.retried', actor: adminEmail }]);
  });

  it('are left alone where it cannot be recorded that they were touched', async () => {
    const waiting = await insertTask(boss.workspaceId, 'waiting', 'Verify 8 contacts');
    const failed = await insertTask(boss.workspaceId, 'failed', 'Verify 7 contacts');
    await sql`
      alter table admin_actions add constraint full_disk check (action not like 'task.%') not valid`.execute(
      test.owner.system,
    );
    try {
      for (const call of [`${waiting}/cancel`, `${failed}/retry`])
        expect((await post(`/api/admin/tasks/${boss.workspaceId}/${call}`)).statusCode).toBe(500);
    } finally {
      await sql`alter table admin_actions drop constraint full_disk`.execute(test.owner.system);
    }
    expect((await found<Listed>('/api/admin/tasks?view=all')).counts).toMatchObject({
      ...{ waiting: 1, failed: 1, running: 0, completed: 0, cancelled: 0 },
    });
  });

  it('of another workspace’s number are not there', async () => {
    const id = await insertTask(priya.workspaceId, 'failed', 'Verify 7 contacts');
    expect((await post(`/api/admin/tasks/${boss.workspaceId}/${id}/retry`)).statusCode).toBe(404);
  });
});

describe('imports of all workspaces', () => {
  const insertImport = async (workspaceId: number, status: string, fileName: string, more: object = {}) => {
    const { error = null, progress = null } = more as { error?: string; progress?: object };
    await sql`
      insert into imports (workspace_id, file_name, file_size, status, options, error, progress, created_by, lease_until)
      values (${workspaceId}, ${fileName}, 1000, ${status}, '{"removeDuplicates": true}', ${error},
              ${progress === null ? null : JSON.stringify(progress)}::jsonb, ${tom.userId}, now() + interval '1 hour')`.execute(
      test.owner.system,
    );
  };
  type Listed = { items: contract.AdminImport[]; totalCount: number; counts: Record<string, number> };

  it('are listed while they run and when they failed, with the sentence, and without what is in the file', async () => {
    const before = await found<Listed>('/api/admin/imports?view=all');
    const progress = {
      phase: 'reading',
      rows: 1200,
      share: 0.25,
      rowsPerSecond: 9,
      bytesRead: 1,
      bytesTotal: 4,
    };
    await insertImport(boss.workspaceId, 'processing', 'spring.csv', { progress });
    await insertImport(boss.workspaceId, 'uploading', 'summer.csv');
    await insertImport(priya.workspaceId, 'checked', 'only-tried.csv');
    await insertImport(priya.workspaceId, 'failed', 'winter.csv', { error: 'The file has no email column.' });

    const open = await found<Listed>('/api/admin/imports');
    expect(open).toMatchObject({
      totalCount: 2,
      items: [
        { fileName: 'summer.csv', status: 'running', workspace: { id: boss.workspaceId } },
        { fileName: 'spring.csv', status: 'running', phase: 'reading', rows: 1200, share: 0.25 },
      ],
    });
    const broken = await found<Listed>('/api/admin/imports?view=failed');
    expect(broken.items[0]).toMatchObject({
      fileName: 'winter.csv',
      workspace: { id: priya.workspaceId, name: firm },
      error: 'The file has no email column.',
      startedBy: 'Tom Reed',
    });
    expect(broken.counts).toEqual({
      open: (before.counts.open ?? 0) + 2,
      failed: (before.counts.failed ?? 0) + 1,
      all: (before.counts.all ?? 0) + 3,
    });
    expect(JSON.stringify(await found<Listed>('/api/admin/imports?view=all'))).not.toContain('only-tried');
    const second = await found<Listed>('/api/admin/imports?limit=1&page=2');
    expect(second.items.map(({ fileName }) => fileName)).toEqual(['spring.csv']);
  });
});

describe('the system', () => {
  it('tells how the database, the disk and the settings are', async () => {
    const health = await found<contract.SystemHealth>('/api/admin/system');
    expect(health.database.version).toMatch(/^\d+/);
    expect(health.database.migration).toMatch(/^\d{4}_/);
    expect(health.database.connections).toBeGreaterThan(0);
    expect(health.disk.total).toBeGreaterThan(health.disk.free);
    expect(health.unusedSettings).toContainEqual({ name: 'BILLING', isSet: false });
    expect(health.mailServer).toBe(false);
  });
});
