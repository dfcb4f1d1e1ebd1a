import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '#platform/server/database.ts';
import type { Role } from '#platform/shared/contract.ts';

/** Somebody signed in. `cookie` is the value of a Cookie header. */
export interface SignedIn {
  cookie: string;
  userId: string;
  workspaceId: number;
  email: string;
}

export const testPassword = 'seven quiet herons wade';

let people = 0;

/**
 * Signs up a new person over HTTP. They own the workspace that comes with it. On failure, throws
 * the server's answer.
 */
export async function signUp(
  app: FastifyInstance,
  { email, name }: { email?: string; name?: string } = {},
): Promise<SignedIn> {
  people += 1;
  const address = email ?? `person-${process.pid}-${people}@gmail.com`;
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/sign-up/email',
    payload: { email: address, password: testPassword, name: name ?? 'Priya Shah' },
  });
  if (answer.statusCode !== 200) throw new Error(`sign-up: ${answer.statusCode} ${answer.body}`);
  const cookie = cookieOf(answer.headers['set-cookie']);
  const user = await whoIs(app, cookie);
  return { cookie, userId: user.id, workspaceId: user.workspace.id, email: address };
}

/** Signs up a new person at a running product, over the network. */
export async function signUpAt(url: string): Promise<{ cookie: string; workspaceId: number }> {
  people += 1;
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `person-${process.pid}-${people}@harrowgatefoods.co.uk`,
      password: testPassword,
      name: 'Priya Shah',
    }),
  });
  if (!answer.ok) throw new Error(`sign-up: ${answer.status} ${await answer.text()}`);
  const cookie = cookieOf(answer.headers.getSetCookie());
  const user = await fetch(`${url}/api/auth/user`, { headers: { cookie } });
  const { workspace } = (await user.json()) as { workspace: { id: number } };
  return { cookie, workspaceId: workspace.id };
}

/**
 * Signs up a new person and makes them a member of `workspaceId` with `role`, as their current
 * workspace.
 */
export async function signUpMember(
  app: FastifyInstance,
  database: Database,
  { workspaceId, role, ...person }: { workspaceId: number; role: Role; email?: string; name?: string },
): Promise<SignedIn> {
  const member = await signUp(app, person);
  await sql`
    insert into members (workspace_id, user_id, role)
    values (${workspaceId}, ${Number(member.userId)}, ${role})`.execute(database.system);
  const answer = await app.inject({
    method: 'POST',
    url: '/api/workspaces/current',
    headers: { cookie: member.cookie },
    payload: { id: workspaceId },
  });
  if (answer.statusCode !== 200) throw new Error(`switch workspace: ${answer.statusCode} ${answer.body}`);
  return { ...member, workspaceId };
}

/** The cookies that a browser would send back after an answer. */
export function cookieOf(setCookie: string | string[] | undefined): string {
  const cookies = setCookie === undefined ? [] : [setCookie].flat();
  return cookies
    .map((cookie) => cookie.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');
}

async function whoIs(
  app: FastifyInstance,
  cookie: string,
): Promise<{ id: string; workspace: { id: number } }> {
  const answer = await app.inject({ url: '/api/auth/user', headers: { cookie } });
  if (answer.statusCode !== 200) throw new Error(`current user: ${answer.statusCode} ${answer.body}`);
  return answer.json();
}
