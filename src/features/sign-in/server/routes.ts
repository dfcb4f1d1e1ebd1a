import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inCall } from '#platform/server/call-context.ts';
import type { Router } from '#platform/server/http.ts';
import { networkOf } from '#platform/server/network.ts';
import { AppError } from '#platform/shared/errors.ts';
import { getCurrentUser, secondFactor } from '../contract.ts';
import { freePlan } from '../rules/plan.ts';
import { splitName } from '../rules.ts';
import { limitAttempts } from './attempts.ts';
import { type Auth, authPath, type RateLimits } from './auth.ts';
import { holdingTo } from './checked-password.ts';
import { asProductError, clientAddressHeader } from './library.ts';
import type { Db } from './queries.ts';
import type { SecondFactor } from './second-factor/second-factor.ts';
import type { SessionOf } from './sessions.ts';

interface RouteParts {
  db: Db;
  auth: Auth;
  rateLimits: RateLimits;
  /** Who is signed in on this request. The router has already let them in. */
  sessionOf: SessionOf;
  secondStep: SecondFactor['pass'];
}

export function registerRoutes(router: Router, parts: RouteParts): void {
  const { sessionOf, secondStep } = parts;
  router.handle(getCurrentUser, async ({ caller, request, reply }) => {
    const session = await sessionOf(request);
    if (!session?.workspace || !caller.workspace) throw new AppError('unauthenticated', 'Please sign in.');
    reply.header('cache-control', 'no-store');
    const { id, name, role, lacksTwoFactor } = caller.workspace;
    return {
      id: caller.userId,
      ...splitName(caller.name),
      name: caller.name,
      email: caller.email,
      currentPlan: freePlan,
      createdAt: session.createdAt.toISOString(),
      isAdmin: caller.isAdmin,
      role,
      workspace: { id, name, requiresTwoFactor: session.workspace.requiresTwoFactor },
      needsTwoFactor: lacksTwoFactor === true,
    };
  });

  router.handle(secondFactor, async ({ body, request, reply }) => {
    await secondStep({ request, reply }, body);
    return { done: true as const };
  });

  mountLibrary(router.app, parts);
}

/**
 * The library's calls that are open to everybody. Its many other calls bypass this product's rules,
 * its audit log or both (for example, a password change that does not end other sessions, or a list
 * of sessions with their secrets), so they do not exist here.
 * Each with how many times a minute one network may call it.
 */
const openCalls = {
  'sign-up/email': 'signUps',
  'sign-in/email': 'signIns',
  'sign-out': 'signOuts',
} as const satisfies Record<string, keyof RateLimits>;

/** Passes those calls to the sign-in library, and its answers and errors back. */
function mountLibrary(app: FastifyInstance, { db, auth, rateLimits }: RouteParts): void {
  app.all(`${authPath}/*`, () => {
    throw new AppError('not_found', 'There is nothing at this address.');
  });
  app.register(async (scope) => {
    // The library reads bodies itself; they are small.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 65_536 }, (_request, body, done) =>
      done(null, body),
    );
    for (const [call, limit] of Object.entries(openCalls)) {
      scope.post(`${authPath}/${call}`, async (request, reply) => {
        reply.header('cache-control', 'no-store');
        const who = networkOf(request.ip);
        await limitAttempts(db, { kind: call, who, most: rateLimits[limit], windowMs: 60_000 });
        const signIn = () => auth.handler(libraryRequest(request));
        const work = () => holdingTo({ hash: undefined, code: 'unauthenticated' }, signIn);
        return answer(reply, await inCall(work));
      });
    }
  });
}

const droppedHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
  'upgrade',
]);

function libraryRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || droppedHeaders.has(name) || name.startsWith('x-forwarded-')) continue;
    headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  headers.set(clientAddressHeader, request.ip);
  const address = `${request.protocol}://${request.host}${request.url}`;
  if (!URL.canParse(address)) throw new AppError('bad_request', 'The request has no usable Host header.');
  // A browser always says where a call comes from, and foreign origins were already refused. A
  // caller that says nothing is a program, and nobody can trick a program into sending somebody's
  // cookie. Node's fetch sends Sec-Fetch-Mode alone, which no browser does.
  const fromBrowser = ['origin', 'referer', 'sec-fetch-site'].some((name) => headers.has(name));
  if (!fromBrowser) {
    headers.delete('sec-fetch-mode');
    headers.set('origin', new URL(address).origin);
  }
  const body = bodyOf(request, headers);
  return new Request(address, { method: request.method, headers, ...(body ? { body } : {}) });
}

function bodyOf(request: FastifyRequest, headers: Headers): Uint8Array<ArrayBuffer> | null {
  const body = request.body as Buffer<ArrayBuffer> | undefined;
  if (request.method === 'GET' || !body || body.length === 0) {
    headers.delete('content-type');
    return null;
  }
  if (headers.get('content-type')?.includes('json')) {
    try {
      JSON.parse(body.toString('utf8'));
    } catch (cause) {
      throw new AppError('bad_request', 'The body is not valid JSON.', { cause });
    }
  }
  return body;
}

async function answer(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie);
  if (response.status >= 400) {
    throw asProductError(response.status, await response.text());
  }
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie' && name !== 'content-length' && name !== 'cache-control')
      reply.header(name, value);
  }
  return reply.code(response.status).send(response.body ?? '');
}
