import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/server/database.ts';
import { hashes } from '#test/support/cheap-passwords.ts';
import {
  currentUser,
  errorOf,
  manyCalls,
  openPeopleBench,
  type PeopleBench,
  post,
  signIn,
} from '#test/support/people.ts';
import { cookieOf, signUp, signUpMember, testPassword } from '#test/support/sign-in.ts';

let bench: PeopleBench;
let database: Database;
let app: FastifyInstance;
const start: PeopleBench['start'] = (...config) => bench.start(...config);

beforeAll(async () => {
  bench = await openPeopleBench();
  ({ app, database } = bench);
});
afterAll(() => bench.close());

describe('signing up', () => {
  it('signs the new owner of a new workspace in at once', async () => {
    const answer = await post(app, 'sign-up/email', {
      email: 'Priya.Shah@Gmail.com',
      password: testPassword,
      name: 'Priya Anand Shah',
    });
    expect(answer.statusCode).toBe(200);
    const user = await currentUser(app, cookieOf(answer.headers['set-cookie']));
    expect(user.statusCode).toBe(200);
    expect(user.headers['cache-control']).toBe('no-store');
    expect(user.json()).toEqual({
      id: expect.stringMatching(/^\d+$/),
      firstName: 'Priya',
      lastName: 'Anand Shah',
      name: 'Priya Anand Shah',
      email: 'priya.shah@gmail.com',
      currentPlan: 'free',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      isAdmin: false,
      role: 'owner',
      workspace: { id: expect.any(Number), name: "Priya's workspace", requiresTwoFactor: false },
      needsTwoFactor: false,
    });
  });

  it.each([
    ['  Harbour & Pine ', 'Harbour & Pine'],
    ['', 'harbourandpine.co.uk'],
    ['   ', 'harbourandpine.co.uk'],
    [undefined, 'harbourandpine.co.uk'],
  ])('calls the workspace %j as asked, or after the person', async (workspace, name) => {
    const email = `alex-${randomUUID()}@harbourandpine.co.uk`;
    const body = {
      email,
      password: testPassword,
      name: 'Alex Pine',
      ...(workspace === undefined ? {} : { workspace }),
    };
    const answer = await post(app, 'sign-up/email', body);
    expect(answer.statusCode, answer.body).toBe(200);
    const user = await currentUser(app, cookieOf(answer.headers['set-cookie']));
    expect(user.json().workspace).toMatchObject({ name });
    // Later sessions are in the same one, whatever they say.
    const again = await post(app, 'sign-in/email', { email, password: testPassword, workspace: 'Another' });
    expect((await currentUser(app, cookieOf(again.headers['set-cookie']))).json().workspace).toMatchObject({
      name,
    });
  });

  it.each(['x'.repeat(101), 'two\nlines', 7, null, { a: 1 }])(
    'refuses a workspace called %j',
    async (workspace) => {
      const body = {
        email: `alex-${randomUUID()}@gmail.com`,
        password: testPassword,
        name: 'Alex',
        workspace,
      };
      const answer = await post(app, 'sign-up/email', body);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({
        code: 'invalid_input',
        fields: { workspace: expect.any(String) },
      });
    },
  );

  it('sets an HttpOnly, SameSite=Lax cookie, and a Secure one where the site is https', async () => {
    const plain = await signIn(app, (await signUp(app)).email);
    expect(plain.headers['set-cookie']).toMatch(/^email-manager\.session_token=.+HttpOnly.*SameSite=Lax/);
    expect(plain.headers['set-cookie']).not.toMatch(/Secure/);
    expect(plain.headers['set-cookie']).toMatch(/Max-Age=604800/);

    const secure = await start({ publicUrl: 'https://mail.example.org' });
    const { email, cookie } = await signUp(secure);
    expect((await currentUser(secure, cookie)).statusCode).toBe(200);
    const { headers } = await signIn(secure, email);
    expect(headers['set-cookie']).toMatch(/^__Secure-email-manager\.session_token=.+Secure/);
  });

  it('names the workspace after the company where the address has one', async () => {
    const { cookie } = await signUp(app, { email: 'sam@millbank-tools.co.uk' });
    expect((await currentUser(app, cookie)).json().workspace.name).toBe('millbank-tools.co.uk');
  });

  it('tells of the new workspace once it can be seen', async () => {
    const told: [number, number][] = [];
    const telling = await start(
      {},
      {
        onWorkspaceCreated: async (workspaceId, userId) => {
          const { rows } = await sql`select id from workspaces where id = ${workspaceId}`.execute(
            database.system,
          );
          if (rows.length === 1) told.push([workspaceId, userId]);
        },
      },
    );
    const { workspaceId, userId } = await signUp(telling);
    expect(told).toEqual([[workspaceId, Number(userId)]]);
  });

  it('stands though laying out the workspace failed', async () => {
    const failing = await start({}, { onWorkspaceCreated: () => Promise.reject(new Error('no space')) });
    expect((await signUp(failing)).workspaceId).toBeGreaterThan(0);
  });

  it('leaves nothing behind when it fails half way', async () => {
    await sql`alter table sessions add constraint no_sessions check (user_agent <> 'breaks') not valid`.execute(
      bench.owner.system,
    );
    const email = 'halfway@gmail.com';
    const failed = await post(
      app,
      'sign-up/email',
      { email, password: testPassword, name: 'Half Way' },
      { 'user-agent': 'breaks' },
    );
    expect(failed.statusCode).toBe(500);
    const { rows } = await sql`select 1 from users where email = ${email}`.execute(database.system);
    expect(rows).toEqual([]);
    const { rows: workspaces } = await sql`select 1 from workspaces where name = 'Half''s workspace'`.execute(
      database.system,
    );
    expect(workspaces).toEqual([]);
    expect((await signUp(app, { email })).email).toBe(email);
  });

  it('says so when the address has an account already', async () => {
    const { email } = await signUp(app);
    const answer = await post(app, 'sign-up/email', {
      email: email.toUpperCase(),
      password: testPassword,
      name: 'Another',
    });
    expect(errorOf(answer)).toEqual({
      status: 409,
      code: 'already_exists',
      message: 'There is an account with this email already. Please sign in instead.',
      fields: { email: expect.any(String) },
    });
  });

  it('makes one account of two sign-ups at the same moment', async () => {
    const body = { email: 'twice@gmail.com', password: testPassword, name: 'Two Fold' };
    const answers = await Promise.all([1, 2, 3].map(() => post(app, 'sign-up/email', body)));
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    for (const answer of answers) expect([200, 409]).toContain(answer.statusCode);
  });

  it('does not run dry when more sign up at once than there are connections', async () => {
    const narrow = openDatabase({ url: bench.appUrl, maxConnections: 2 });
    const crowded = await start({}, { database: narrow });
    const people = await Promise.all(Array.from({ length: 6 }, () => signUp(crowded)));
    expect(new Set(people.map((person) => person.workspaceId)).size).toBe(6);
    await narrow.close();
  });

  it.each([
    [{ email: 'a@b.co', password: 'short', name: 'A' }, 'password', /at least 10/],
    [{ email: 'a@b.co', password: 'password123', name: 'A' }, 'password', /anybody would guess/],
    [{ email: 'stephanie@b.co', password: 'stephanie-2026', name: 'A' }, 'password', /email address/],
    [{ email: 'a@b.co', password: testPassword, name: '' }, 'name', /give a name/],
    [{ email: 'a@b.co', password: testPassword, name: 'A\u0000' }, 'name', /plain text/],
    [{ email: 'nonsense', password: testPassword, name: 'A' }, 'email', /./],
    [{ password: testPassword, name: 'A' }, 'email', /./],
    [{ email: 'a@b.co', name: 'A' }, 'password', /at least 10/],
  ])('refuses %j, in words', async (body, field, words) => {
    const answer = await post(app, 'sign-up/email', body);
    expect(errorOf(answer)).toMatchObject({
      status: 400,
      code: 'invalid_input',
      message: expect.any(String),
    });
    expect(answer.json().fields[field]).toMatch(words);
  });

  it('takes nobody at their word about a proven address', async () => {
    const answer = await post(app, 'sign-up/email', {
      email: 'sly@gmail.com',
      password: testPassword,
      name: 'Sly',
      emailVerified: true,
    });
    expect(answer.json().user.emailVerified).toBe(false);
    const { rows } = await sql`
      select email_verified from users where email = 'sly@gmail.com'`.execute(database.system);
    expect(rows).toEqual([{ email_verified: false }]);
  });

  it.each([
    ['{"email":', 'application/json', 400, 'bad_request'],
    ['<a/>', 'text/xml', 415, 'unsupported_media_type'],
    ['', 'application/json', 400, 'invalid_input'],
    ['[]', 'application/json', 400, 'invalid_input'],
    ['null', 'application/json', 400, 'invalid_input'],
  ])('answers the body %j of type %s with %i', async (payload, type, status, code) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/auth/sign-up/email',
      headers: { 'content-type': type },
      payload,
    });
    expect(errorOf(answer)).toMatchObject({ status, code });
  });
});

describe('signing in and out', () => {
  it('gives a new session each time, whatever cookie came along', async () => {
    const { email, cookie } = await signUp(app);
    const first = cookieOf((await signIn(app, email)).headers['set-cookie']);
    const second = cookieOf(
      (await signIn(app, email, testPassword, { cookie: first })).headers['set-cookie'],
    );
    expect(new Set([cookie, first, second]).size).toBe(3);
  });

  it('answers a wrong password and an unknown user alike, at the same cost', async () => {
    const { email } = await signUp(app);
    const tried = async (address: string) => {
      const before = hashes.made;
      const answer = await signIn(app, address, 'not the password');
      return { error: errorOf(answer), hashes: hashes.made - before };
    };
    const wrong = await tried(email);
    expect(wrong).toEqual({
      error: {
        status: 401,
        code: 'unauthenticated',
        message: 'The email or the password is not right.',
      },
      hashes: 1,
    });
    // Without the hash, the answer for an unknown user would come a tenth of a second sooner.
    expect(await tried('nobody-at-all@gmail.com')).toEqual(wrong);
  });

  it('ends the session on signing out, also for a program that names no origin', async () => {
    const { cookie } = await signUp(app);
    const answer = await app.inject({ method: 'POST', url: '/api/auth/sign-out', headers: { cookie } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['set-cookie']).toEqual(
      expect.arrayContaining([expect.stringMatching(/session_token=;.*Max-Age=0/)]),
    );
    expect((await currentUser(app, cookie)).statusCode).toBe(401);
  });

  it('comes back to the workspace of last time', async () => {
    const owner = await signUp(app);
    const member = await signUpMember(app, database, { workspaceId: owner.workspaceId, role: 'viewer' });
    const cookie = cookieOf((await signIn(app, member.email)).headers['set-cookie']);
    expect((await currentUser(app, cookie)).json().workspace.id).toBe(owner.workspaceId);
  });

  it('limits attempts on one account, right or wrong, and leaves others alone', async () => {
    const limited = await start({}, { rateLimits: { ...manyCalls, signInsPerAccount: 2 } });
    const { email } = await signUp(limited);
    const other = await signUp(limited);
    expect((await signIn(limited, email, 'not the password')).statusCode).toBe(401);
    expect((await signIn(limited, email.toUpperCase(), 'not the password')).statusCode).toBe(401);
    const third = await signIn(limited, email);
    expect(errorOf(third)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    expect((await signIn(limited, other.email)).statusCode).toBe(200);
  });

  it('counts attempts that come at the same moment', async () => {
    const limited = await start({}, { rateLimits: { ...manyCalls, signInsPerAccount: 3 } });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => signIn(limited, 'at-once@gmail.com', 'not the password')),
    );
    expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(3);
  });

  it('limits sign-ups from one network address, which a caller cannot make up', async () => {
    await sql`delete from rate_limits`.execute(database.system);
    const limited = await start({}, { rateLimits: { ...manyCalls, signUps: 2 } });
    await signUp(limited);
    await signUp(limited);
    const body = { email: 'third@gmail.com', password: testPassword, name: 'Third' };
    const forged = { 'x-client-address': '203.0.113.9' };
    expect(errorOf(await post(limited, 'sign-up/email', body, forged))).toMatchObject({
      status: 429,
      code: 'rate_limited',
    });
    await sql`delete from rate_limits`.execute(database.system);
  });
});

describe('GET /api/auth/user', () => {
  it.each([
    ['no cookie', ''],
    ['a made-up cookie', 'email-manager.session_token=abcdef.ghijkl'],
    ['a cookie that is no percent-encoding', 'email-manager.session_token=%E0%A4%A'],
    ['an empty cookie', 'email-manager.session_token='],
  ])('is 401 with %s', async (_what, cookie) => {
    expect(errorOf(await currentUser(app, cookie))).toEqual({
      status: 401,
      code: 'unauthenticated',
      message: 'Please sign in.',
    });
  });

  it('is 401 with a token whose signature is of another key', async () => {
    const other = await start({ secretKey: 'another key for tests, also long enough' });
    const { cookie } = await signUp(other);
    expect((await currentUser(other, cookie)).statusCode).toBe(200);
    expect((await currentUser(app, cookie)).statusCode).toBe(401);
  });

  it('is 401 once the session ran out', async () => {
    const { cookie, userId } = await signUp(app);
    await sql`update sessions set expires_at = now() where user_id = ${Number(userId)}`.execute(
      database.system,
    );
    expect((await currentUser(app, cookie)).statusCode).toBe(401);
  });

  it('renews a session and its cookie after a day, and not before', async () => {
    const { cookie, userId } = await signUp(app);
    expect((await currentUser(app, cookie)).headers['set-cookie']).toBeUndefined();
    await sql`update sessions set expires_at = now() + interval '3 days' where user_id = ${Number(userId)}`.execute(
      database.system,
    );
    const renewed = await currentUser(app, cookie);
    expect(renewed.statusCode).toBe(200);
    expect(cookieOf(renewed.headers['set-cookie'])).toBe(cookie);
    const { rows } = await sql<{ days: number }>`
      select extract(epoch from expires_at - now())::float8 / 86400 as days
      from sessions where user_id = ${Number(userId)}`.execute(database.system);
    expect(rows[0]?.days).toBeGreaterThan(6.9);
  });
});

describe('calls from other sites', () => {
  const foreign = { origin: 'https://evil.example' };

  it('are refused, with or without a cookie', async () => {
    const { cookie, email } = await signUp(app);
    expect(errorOf(await signIn(app, email, testPassword, foreign))).toMatchObject({
      status: 403,
      code: 'csrf',
    });
    expect(errorOf(await post(app, 'sign-out', {}, { ...foreign, cookie }))).toMatchObject({ code: 'csrf' });
    const silent = await post(app, 'sign-out', {}, { cookie, 'sec-fetch-site': 'cross-site' });
    expect(errorOf(silent)).toMatchObject({ status: 403, code: 'csrf' });
    expect((await currentUser(app, cookie)).statusCode).toBe(200);
  });

  it('are told from calls of the site itself, under whichever name it is reached', async () => {
    const { email } = await signUp(app);
    for (const host of ['localhost:3000', 'box.lan:8080']) {
      const headers = { host, origin: `http://${host}` };
      expect((await signIn(app, email, testPassword, headers)).statusCode).toBe(200);
    }
    const behindTls = { host: 'mail.example.org', origin: 'https://mail.example.org' };
    expect((await signIn(app, email, testPassword, behindTls)).statusCode).toBe(200);
  });
});

describe('GET /api/login', () => {
  const login = (query: string, headers: Record<string, string> = {}) =>
    app.inject({ url: `/api/login${query}`, headers });

  it.each([
    ['', '/auth'],
    ['?next=/imports', '/auth?next=%2Fimports'],
    ['?next=%2Femails%3Fpage%3D2', '/auth?next=%2Femails%3Fpage%3D2'],
    ['?next=//evil.example', '/auth'],
    ['?next=https://evil.example', '/auth'],
    ['?next=/%5Cevil.example', '/auth'],
    ['?next=/%09/evil.example', '/auth'],
    ['?next=/api/auth/sign-out', '/auth'],
    ['?next=//evil.example&next=/emails', '/auth'],
  ])('with %j leads to %s', async (query, location) => {
    const answer = await login(query);
    expect([answer.statusCode, answer.headers.location]).toEqual([302, location]);
  });

  it.each([
    ['http://localhost:80/suppressions?page=3', '/auth?next=%2Fsuppressions%3Fpage%3D3'],
    ['https://evil.example/suppressions', '/auth'],
    ['http://localhost:80/', '/auth'],
    ['nonsense', '/auth'],
  ])('from %s leads to %s', async (referer, location) => {
    expect((await login('', { referer, host: 'localhost' })).headers.location).toBe(location);
  });
});

describe('a page that one person has open', () => {
  it('does nothing in the name of another who has signed in since', async () => {
    const ann = await signUp(app);
    const ben = await signUpMember(app, database, { workspaceId: ann.workspaceId, role: 'editor' });
    const save = (shown: string, cookie = ben.cookie) =>
      app.inject({
        method: 'PATCH',
        url: '/api/account',
        headers: { cookie, 'x-person': shown },
        payload: { name: 'Ann Lee' },
      });
    expect(errorOf(await save(ann.userId))).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect((await save(ben.userId)).statusCode).toBe(200);
    expect((await save(ann.userId, ann.cookie)).statusCode).toBe(200);
    const user = await app.inject({
      url: '/api/auth/user',
      headers: { cookie: ben.cookie, 'x-person': ann.userId },
    });
    expect(user.statusCode).toBe(401);
  });
});

describe('calls nobody answers', () => {
  it.each([
    ['GET', '/api/auth/nothing-here'],
    ['GET', '/api/auth/error'],
    ['POST', '/api/auth/user'],
    ['POST', '/api/auth/sign-in/social'],
    // Calls of the sign-in library that would bypass this product's own.
    ['GET', '/api/auth/get-session'],
    ['GET', '/api/auth/list-sessions'],
    ['POST', '/api/auth/update-user'],
    ['POST', '/api/auth/change-email'],
    ['POST', '/api/auth/change-password'],
    ['POST', '/api/auth/delete-user'],
    ['POST', '/api/auth/request-password-reset'],
    ['GET', '/api/auth/verify-email'],
    ['POST', '/api/auth/organization/update-member-role'],
    ['POST', '/api/auth/two-factor/disable'],
    ['POST', '/api/auth/two-factor/verify-totp'],
  ] as const)('%s %s is a 404 of the usual shape', async (method, url) => {
    expect(errorOf(await app.inject({ method, url }))).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('say that the database is away when it is', async () => {
    const gone = openDatabase({ url: 'postgres://nobody@127.0.0.1:9/none' });
    const cut = await start({}, { database: gone });
    expect(errorOf(await signIn(cut, 'a@gmail.com'))).toMatchObject({ status: 503, code: 'unavailable' });
    await gone.close();
  });
});
