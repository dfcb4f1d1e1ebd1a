import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { OidcConfig } from '#platform/server/config.ts';
import type { Person, TestProvider, Twist } from './identity-provider.ts';
import { cookieOf } from './sign-in.ts';

/** Signing in through the identity provider as a browser does, but without a browser. */

/** The host of PUBLIC_URL in tests. */
const host = 'localhost:3000';

/** The product's settings for a provider. */
export const oidcOf = ({ env }: TestProvider, changes: Partial<OidcConfig> = {}): OidcConfig => ({
  issuer: env.OIDC_ISSUER ?? '',
  clientId: env.OIDC_CLIENT_ID ?? '',
  clientSecret: env.OIDC_CLIENT_SECRET ?? '',
  name: 'Harrowgate ID',
  only: false,
  ...changes,
});

let people = 0;

/** A person whom so far only the provider knows. */
export function somebody(changes: Record<string, unknown> = {}): Person & { email: string } {
  people += 1;
  const sub = `visitor-${process.pid}-${people}`;
  const known = { email: `${sub}@gmail.com`, email_verified: true, given_name: 'Ann', family_name: 'Reed' };
  return { sub, ...known, ...changes };
}

export interface Begun {
  /** Where the browser is sent. */
  url: string;
  /** Binds the answer to this browser. */
  cookie: string;
}

export async function beginSignIn(
  app: FastifyInstance,
  next?: string,
  headers: Record<string, string> = {},
): Promise<Begun> {
  const query = next === undefined ? '' : `?${new URLSearchParams({ next })}`;
  const answer = await app.inject({ url: `/api/login${query}`, headers: { host, ...headers } });
  if (answer.statusCode !== 302) throw new Error(`sign-in: ${answer.statusCode} ${answer.body}`);
  return { url: String(answer.headers.location), cookie: cookieOf(answer.headers['set-cookie']) };
}

/** Comes back to the product with what the provider sent along. */
export const comeBack = (
  app: FastifyInstance,
  { pathname, search }: URL,
  cookie: string,
): Promise<LightMyRequestResponse> =>
  app.inject({ url: pathname + search, headers: { host, ...(cookie === '' ? {} : { cookie }) } });

/** Goes to the provider and comes back. */
export async function comeIn(
  app: FastifyInstance,
  provider: TestProvider,
  person: Person,
  { next, cookie, twist }: { next?: string; cookie?: string; twist?: Twist } = {},
): Promise<LightMyRequestResponse> {
  const begun = await beginSignIn(app, next, cookie === undefined ? {} : { cookie });
  const cookies = cookie === undefined ? begun.cookie : `${begun.cookie}; ${cookie}`;
  return comeBack(app, await provider.approve(begun.url, person, twist), cookies);
}

/** Why the browser was sent back to the sign-in page or the account. Null when it was not. */
export function failureOf({ headers }: LightMyRequestResponse): string | null {
  const { pathname, searchParams } = new URL(String(headers.location), 'http://localhost');
  return pathname === '/auth' ? searchParams.get('failure') : searchParams.get('provider');
}

/** The cookie of the session that an answer begins. Empty when it begins none. */
export const sessionIn = (answer: LightMyRequestResponse): string => {
  const cookies = cookieOf(answer.headers['set-cookie']).split('; ');
  return cookies.find((cookie) => cookie.startsWith('email-manager.session_token=')) ?? '';
};
