import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mailer } from '#features/mail/server/index.ts';
import type { Router } from '#platform/server/http.ts';
import type { Log } from '#platform/server/logging.ts';
import { networkOf } from '#platform/server/network.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  connectProvider,
  disconnectProvider,
  getSignInMethods,
  login,
  providerCallback,
} from '../../contract.ts';
import { keysOf, providerId } from '../../rules/provider.ts';
import type { ProviderFailure } from '../../rules/provider-failures.ts';
import { localPath } from '../../rules.ts';
import { limitAttempts, TooManyAttempts } from '../attempts.ts';
import { type Auth, failedPath } from '../auth.ts';
import type { AuthDatabase } from '../auth-database.ts';
import { asProductError, cookieOf, type Exchange, headersOf, passCookies, unpack } from '../library.ts';
import type { Passwords } from '../passwords.ts';
import { endEmailChanges } from '../proofs.ts';
import { takeProof } from '../queries.ts';
import type { SessionOf } from '../sessions.ts';
import { recordForUser } from '../users.ts';
import { NotLetIn, nonceOf } from './client.ts';
import type { Provider } from './provider.ts';
import { deleteIdentities, endProviderSessions, hasIdentity, selectHeading } from './queries.ts';

export interface ProviderRouteParts {
  auth: Auth;
  db: AuthDatabase;
  log: Log;
  mail: Mailer;
  /** Absent when no identity provider is configured. */
  provider: Provider | undefined;
  passwords: Passwords;
  sessionOf: SessionOf;
  /** Where people reach the product, without a slash at the end. */
  publicUrl: string;
  /** How many sign-ins per minute one network address may begin. */
  signInsPerMinute: number;
}

type Parts = ProviderRouteParts & { provider: Provider };

function insistOnProvider(parts: ProviderRouteParts): Parts {
  const { provider } = parts;
  if (!provider) throw new AppError('not_found', 'There is nothing at this address.');
  return { ...parts, provider };
}

export function registerProvider(router: Router, parts: ProviderRouteParts): void {
  registerConnection(router, parts);
  router.handle(login, async ({ query, request, reply }) => {
    reply.header('cache-control', 'no-store');
    const asked = Array.isArray(query.next) ? query.next[0] : query.next;
    const next = asked === undefined ? cameFrom(request) : localPath(asked);
    if (parts.provider) {
      const heading = { next, isAtPublicUrl: query.at !== undefined };
      return goToProvider(insistOnProvider(parts), { request, reply }, heading);
    }
    return reply.redirect(next === null ? '/auth' : `/auth?${new URLSearchParams({ next })}`, 302);
  });
  router.handle(getSignInMethods, async () => {
    const config = parts.provider?.config;
    return { password: config?.only !== true, provider: config ? { name: config.name } : null };
  });
  router.handle(providerCallback, async ({ query, request, reply }) =>
    comeBack(insistOnProvider(parts), { request, reply }, query),
  );
}

function registerConnection(router: Router, parts: ProviderRouteParts): void {
  router.handle(connectProvider, async ({ caller, body, request, reply }) => {
    reply.header('cache-control', 'no-store');
    const own = insistOnProvider(parts);
    await parts.passwords.insistOn({ caller, request }, body.password);
    return { url: await beginConnecting(own, { request, reply }, Number(caller.userId)) };
  });
  router.handle(disconnectProvider, async ({ caller, body, request }) => {
    const own = insistOnProvider(parts);
    await parts.passwords.insistOn({ caller, request }, body.password);
    const sessionId = (await parts.sessionOf(request))?.sessionId ?? 0;
    await disconnect(own, { userId: Number(caller.userId), email: caller.email, sessionId });
    return { done: true as const };
  });
}

/** The page of this site that linked here, from the Referer header. */
function cameFrom(request: FastifyRequest): string | null {
  const { referer } = request.headers;
  if (!referer || !URL.canParse(referer)) return null;
  const { host, pathname, search } = new URL(referer);
  const path = host === request.host ? localPath(pathname + search) : null;
  return path === '/' ? null : path;
}

/**
 * Sends a browser to the provider. It comes back to PUBLIC_URL, so it must also begin there: the
 * cookie that binds the two belongs to one host. `at` says that the browser was already sent to
 * PUBLIC_URL; otherwise a proxy that hides the host would make this a loop.
 */
async function goToProvider(
  parts: Parts,
  { request, reply }: Exchange,
  { next, isAtPublicUrl }: { next: string | null; isAtPublicUrl: boolean },
): Promise<FastifyReply> {
  const { db, provider, publicUrl, signInsPerMinute } = parts;
  if (!isAtPublicUrl && request.host !== new URL(publicUrl).host) {
    const query = new URLSearchParams({ ...(next === null ? {} : { next }), at: 'public-url' });
    return reply.redirect(`${publicUrl}/api/login?${query}`, 302);
  }
  try {
    await limitAttempts(db, {
      kind: 'provider',
      who: networkOf(request.ip),
      most: signInsPerMinute,
      windowMs: 60_000,
    });
    await provider.client.ask();
    const response = await parts.auth.api.signInWithOAuth2({
      body: { providerId, callbackURL: next ?? '/', errorCallbackURL: failedPath },
      headers: headersOf(request, ''),
      asResponse: true,
    });
    const { url } = await unpack<{ url: string }>(reply, response);
    return reply.redirect(withNonce(url), 302);
  } catch (error) {
    return turnAway(parts, reply, error, { path: next ?? '/', connects: false });
  }
}

function withNonce(address: string): string {
  const url = new URL(address);
  url.searchParams.set('nonce', nonceOf(url.searchParams.get('code_challenge') ?? ''));
  return url.href;
}

interface Heading {
  path: string;
  /** True: somebody signed in connects their account. False: somebody signs in. */
  connects: boolean;
}

interface Returned {
  code?: string | undefined;
  state?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

/** The shape of the library's states. The same table also holds proofs, under longer names. */
const looksLikeState = (state: string | undefined): state is string =>
  /^[A-Za-z0-9_-]{32}$/.test(state ?? '');

/** The browser is back from the provider, with a code, an error or something made up. */
async function comeBack(
  parts: Parts,
  exchange: Exchange,
  { code, state, iss, error }: Returned,
): Promise<FastifyReply> {
  const { auth, db, provider } = parts;
  const { request, reply } = exchange;
  reply.header('cache-control', 'no-store');
  const heading = looksLikeState(state) ? await selectHeading(db, state) : null;
  try {
    if (heading === null || state === undefined) throw new NotLetIn('expired');
    if (error !== undefined || code === undefined) {
      await takeProof(db, state);
      throw new NotLetIn(meaningOf(error), {
        cause: new Error(`the provider answered ${error ?? 'no code'}`),
      });
    }
    await provider.client.remember();
    const session = heading.connects ? await parts.sessionOf(request) : null;
    const response = await provider.returnIn(session?.sessionId ?? 0, () =>
      auth.api.oAuth2Callback({
        params: { providerId },
        query: { code, state, ...(iss === undefined ? {} : { iss }) },
        headers: headersOf(request, cookieOf(exchange)),
        asResponse: true,
      }),
    );
    if (response.status >= 400) throw asProductError(response.status, await response.text());
    insistOnSuccess(response);
    passCookies(reply, response);
    return reply.redirect(localPath(heading.path) ?? '/', 302);
  } catch (failure) {
    return turnAway(parts, reply, failure, heading);
  }
}

/**
 * The meaning of the provider's error (RFC 6749, section 4.1.2.1, and OpenID Connect Core 1.0,
 * section 3.1.2.6).
 */
function meaningOf(error: string | undefined): ProviderFailure {
  switch (error) {
    case 'access_denied':
    case 'login_required':
    case 'consent_required':
    case 'interaction_required':
    case 'account_selection_required':
      return 'cancelled';
    case 'temporarily_unavailable':
    case 'server_error':
      return 'unreachable';
    default:
      return 'refused';
  }
}

/** The library redirects to `failedPath` with one of its codes when it lets nobody in. */
function insistOnSuccess(response: Response): void {
  const target = new URL(response.headers.get('location') ?? failedPath, 'http://localhost');
  if (target.pathname !== failedPath) return;
  const code = target.searchParams.get('error') ?? 'no code';
  const isOver = ['state_mismatch', 'state_not_found', 'state_invalid'].includes(code);
  const isTaken = code === 'account_already_linked_to_different_user';
  throw new NotLetIn(isOver ? 'expired' : isTaken ? 'taken_identity' : 'refused', {
    cause: new Error(`the sign-in library answered ${code}`),
  });
}

/**
 * Sends the person back to where they came from, with the reason. Errors that are not an answer to
 * a person (a database that is away) are thrown on.
 */
function turnAway(parts: Parts, reply: FastifyReply, error: unknown, heading: Heading | null): FastifyReply {
  const isKnown = error instanceof NotLetIn || error instanceof TooManyAttempts;
  if (!isKnown) throw error;
  const failure: ProviderFailure = error instanceof NotLetIn ? error.failure : 'too_many';
  const { issuer } = parts.provider.config;
  const isForOperator = failure === 'refused' || failure === 'unreachable';
  parts.log[isForOperator ? 'warn' : 'info'](
    { failure, issuer, reason: isForOperator ? reasonOf(error.cause) : undefined },
    'Not let in through the identity provider',
  );
  if (heading?.connects) return reply.redirect(`/account?${new URLSearchParams({ provider: failure })}`, 302);
  const next = localPath(heading?.path);
  const query = new URLSearchParams({ failure, ...(next === null || next === '/' ? {} : { next }) });
  return reply.redirect(`/auth?${query}`, 302);
}

/** Only messages: an error about a token contains what the token says about a person. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

async function beginConnecting(parts: Parts, exchange: Exchange, userId: number): Promise<string> {
  const { auth, db, provider } = parts;
  const { issuer, name } = provider.config;
  if (await hasIdentity(db, userId, keysOf(issuer)))
    throw new AppError('conflict', `Your account is connected to ${name} already.`);
  try {
    await provider.client.ask();
  } catch (cause) {
    if (!(cause instanceof NotLetIn)) throw cause;
    parts.log.warn({ issuer, reason: reasonOf(cause.cause) }, 'The identity provider could not be asked');
    throw new AppError('unavailable', `${name} cannot be reached at the moment. Please try again later.`, {
      cause,
    });
  }
  const response = await auth.api.oAuth2LinkAccount({
    body: { providerId, callbackURL: '/account?provider=connected', errorCallbackURL: failedPath },
    headers: headersOf(exchange.request, cookieOf(exchange)),
    asResponse: true,
  });
  return withNonce((await unpack<{ url: string }>(exchange.reply, response)).url);
}

interface Leaving {
  userId: number;
  email: string;
  sessionId: number;
}

/** The caller has confirmed that it is them. */
async function disconnect(parts: Parts, { userId, email, sessionId }: Leaving): Promise<void> {
  const { db, mail, passwords, provider } = parts;
  const { name } = provider.config;
  if (!(await passwords.lets(userId)))
    throw new AppError('conflict', `${name} is the only way into your account. Set a password first.`);
  await db.transaction().execute(async (tx) => {
    await endEmailChanges(tx, userId);
    if ((await deleteIdentities(tx, userId)) === 0)
      throw new AppError('conflict', `Your account is not connected to ${name}.`);
    const endedSessions = await endProviderSessions(tx, userId, sessionId);
    const line = {
      actor: email,
      action: 'account.provider_disconnected',
      details: { provider: name, sessionsEnded: endedSessions },
    };
    await recordForUser(tx, userId, line);
    await mail.send(tx, {
      to: email,
      kind: 'notice',
      workspaceId: null,
      subject: `You no longer sign in through ${name}`,
      content: {
        title: `You no longer sign in through ${name}`,
        paragraphs: [
          `Your account in Email Manager has just been disconnected from ${name}. Your password still lets you in.`,
          'If that was not you, set a new password with "Forgot your password?" on the sign-in page at once.',
        ],
        reason: 'You get this mail because it concerns the security of your account.',
      },
    });
  });
  mail.hurry();
}
