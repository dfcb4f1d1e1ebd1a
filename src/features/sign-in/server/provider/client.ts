import { createHash } from 'node:crypto';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import type { OidcConfig } from '#platform/server/config.ts';
import { identityOf, type ProviderIdentity } from '../../rules/provider.ts';
import type { ProviderFailure } from '../../rules/provider-failures.ts';

/*
 * The questions to the identity provider itself: where its endpoints are and, with the code that a
 * person came back with, who they are (OpenID Connect Core 1.0, authorization code flow). Nothing
 * is asked before somebody wants to sign in, and no answer takes longer than `patienceMs`.
 */

/** Somebody is not let in. The sign-in page says why. */
export class NotLetIn extends Error {
  readonly failure: ProviderFailure;

  constructor(failure: ProviderFailure, options?: { cause: unknown }) {
    super(`signing in through the identity provider: ${failure}`, options);
    this.name = 'NotLetIn';
    this.failure = failure;
  }
}

/** OpenID Connect Discovery 1.0, section 3: the parts used here. */
const discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  userinfo_endpoint: z.string().optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});
type Discovery = z.output<typeof discovery>;

interface Known extends Discovery {
  keys: ReturnType<typeof createRemoteJWKSet>;
}

/** What a person brought back from the provider. */
export interface ReturnedCode {
  code: string;
  redirectURI: string;
  codeVerifier: string;
}

export interface ProviderClient {
  /**
   * Asks the provider where its endpoints are. Throws `NotLetIn` when it does not answer. Runs each
   * time before somebody is sent there: otherwise they would only see the browser's own error page
   * when the provider is away.
   */
  ask(): Promise<void>;
  /** The same for somebody who comes back from there, but asks at most once an hour. */
  remember(): Promise<void>;
  /** Where the endpoints were last time; undefined before the first time. */
  known(): Discovery | undefined;
  /** Who came back. Throws `NotLetIn` when the answer cannot be trusted. */
  whoIs(returned: ReturnedCode): Promise<ProviderIdentity>;
}

const patienceMs = 5000;
const keptMs = 3_600_000;

/** Signed with the provider's own key. HS256 is left out, because two sides know its secret. */
const signatures = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/**
 * Binds the token to the sign-in that began in this browser. It is derived from what only that
 * sign-in knows (PKCE's verifier; the address bar shows its challenge), so it need not be stored.
 */
export const nonceOf = (challenge: string): string =>
  createHash('sha256').update(`nonce of ${challenge}`).digest('base64url');
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

export function createProviderClient(config: OidcConfig): ProviderClient {
  let known: Known | undefined;
  let knownUntil = 0;
  let asking: Promise<Known> | undefined;

  async function discoverAnew(): Promise<Known> {
    const found = await discover(config);
    // The key set itself caches the keys it has fetched.
    const keys = known?.jwks_uri === found.jwks_uri ? known.keys : keysAt(found.jwks_uri);
    known = { ...found, keys };
    knownUntil = Date.now() + keptMs;
    return known;
  }

  /** Many people who come at once share one request. */
  function ask(): Promise<Known> {
    asking ??= discoverAnew().finally(() => {
      asking = undefined;
    });
    return asking;
  }
  const remember = async (): Promise<Known> => (known && Date.now() < knownUntil ? known : ask());

  return {
    ask: async () => void (await ask()),
    remember: async () => void (await remember()),
    known: () => known,
    async whoIs(returned) {
      const provider = await remember();
      const tokens = await redeem(config, provider, returned);
      const claims = await verified(config, provider, tokens.id_token, returned.codeVerifier);
      // Keys and answers use the issuer's own spelling, with or without a slash at its end.
      return identityOf(config.issuer, await withUserInfo(provider, tokens.access_token, claims));
    },
  };
}

const keysAt = (address: string) => createRemoteJWKSet(new URL(address), { timeoutDuration: patienceMs });

async function discover({ issuer }: OidcConfig): Promise<Discovery> {
  const found = discovery.safeParse(await askJson(`${issuer}/.well-known/openid-configuration`));
  if (!found.success) throw refusal(`what is found at ${issuer} describes no OpenID provider`);
  const { data } = found;
  // Otherwise one provider could speak for another (OpenID Connect Discovery 1.0, section 4.3).
  if (data.issuer.replace(/\/+$/, '') !== issuer)
    throw refusal(`OIDC_ISSUER is ${issuer}, and what is found there names itself ${data.issuer}`);
  const endpoints = [data.authorization_endpoint, data.token_endpoint, data.jwks_uri, data.userinfo_endpoint];
  // Only a provider on this machine may work without encryption. OIDC_ISSUER was checked for that.
  const allowed = new URL(issuer).protocol === 'https:' ? ['https:'] : ['https:', 'http:'];
  for (const address of endpoints) {
    if (address === undefined) continue;
    if (!URL.canParse(address) || !allowed.includes(new URL(address).protocol))
      throw refusal(`the provider names an endpoint that is not https: ${address}`);
  }
  return data;
}

const refusal = (why: string): NotLetIn => new NotLetIn('refused', { cause: new Error(why) });

/** Follows no redirects: one could carry the client's secret or the person's token elsewhere. */
async function askJson(address: string, init: RequestInit = {}): Promise<unknown> {
  let response: Response;
  let text: string;
  try {
    const signal = AbortSignal.timeout(patienceMs);
    response = await fetch(address, { ...init, redirect: 'error', signal });
    text = await response.text();
  } catch (cause) {
    throw new NotLetIn('unreachable', { cause });
  }
  if (response.status >= 500)
    throw new NotLetIn('unreachable', { cause: new Error(`${response.status} at ${address}`) });
  if (!response.ok) throw refusal(`${response.status} at ${address}: ${errorIn(text)}`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NotLetIn('unreachable', { cause });
  }
}

/**
 * The `error` of an answer (RFC 6749, section 5.2). Nothing else is quoted, because it could
 * contain a secret.
 */
function errorIn(text: string): string {
  const found = /"error"\s*:\s*"([\x20-\x21\x23-\x5b\x5d-\x7e]{1,100})"/.exec(text);
  return found?.[1] ?? 'no reason given';
}

const tokens = z.object({ id_token: z.string(), access_token: z.string().optional() });

/**
 * Exchanges the code for tokens. The secret goes into the body if the provider accepts that, as
 * most do.
 */
async function redeem(
  { clientId, clientSecret }: OidcConfig,
  provider: Known,
  { code, redirectURI, codeVerifier }: ReturnedCode,
): Promise<z.output<typeof tokens>> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectURI,
    code_verifier: codeVerifier,
  });
  const headers: Record<string, string> = { accept: 'application/json' };
  // A provider that says nothing accepts the header (OpenID Connect Discovery 1.0, section 3).
  const methods = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  if (methods.includes('client_secret_post')) {
    body.set('client_id', clientId);
    body.set('client_secret', clientSecret);
  } else {
    const pair = [clientId, clientSecret].map(formEncoded).join(':');
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  const answer = tokens.safeParse(await askJson(provider.token_endpoint, { method: 'POST', headers, body }));
  if (!answer.success) throw refusal('the provider answered without an ID token');
  return answer.data;
}

/** RFC 6749, section 2.3.1: each half is encoded as in a form before the two are joined. */
const formEncoded = (value: string): string => new URLSearchParams({ v: value }).toString().slice(2);

/**
 * The claims of an ID token. The provider signed it for this client, in answer to this sign-in, and
 * it has not expired.
 */
async function verified(
  { clientId }: OidcConfig,
  provider: Known,
  idToken: string,
  codeVerifier: string,
): Promise<JWTPayload> {
  const offered = provider.id_token_signing_alg_values_supported ?? ['RS256'];
  try {
    const { payload } = await jwtVerify(idToken, provider.keys, {
      issuer: provider.issuer,
      audience: clientId,
      algorithms: offered.filter((name) => signatures.includes(name)),
      clockTolerance: 60,
      requiredClaims: ['sub', 'iat', 'exp'],
    });
    if (payload.nonce !== nonceOf(challengeOf(codeVerifier)))
      throw refusal('the ID token answers another sign-in');
    const several = Array.isArray(payload.aud) && payload.aud.length > 1;
    if ((several || payload.azp !== undefined) && payload.azp !== clientId)
      throw refusal('the ID token was made for another client');
    if (!payload.sub) throw refusal('the ID token is about nobody');
    return payload;
  } catch (error) {
    if (error instanceof NotLetIn) throw error;
    // Failing to fetch the keys says nothing about the token.
    const isVerdict = error instanceof errors.JOSEError && !keysAreAway.includes(error.code);
    throw new NotLetIn(isVerdict ? 'refused' : 'unreachable', { cause: error });
  }
}

/** No answer, or an answer that is not a set of keys. */
const keysAreAway: string[] = [errors.JWKSTimeout.code, errors.JOSEError.code];

/** Some providers give the address only when asked for it with the token. */
async function withUserInfo(
  { userinfo_endpoint: address }: Known,
  accessToken: string | undefined,
  claims: JWTPayload,
): Promise<Record<string, unknown>> {
  if (typeof claims.email === 'string' || address === undefined || accessToken === undefined) return claims;
  const more = await askJson(address, { headers: { authorization: `Bearer ${accessToken}` } });
  const found = z.looseObject({ sub: z.string() }).safeParse(more);
  // Section 5.3.2: information about another person must not be used.
  if (!found.success || found.data.sub !== claims.sub) throw refusal('the user info is about somebody else');
  return { ...found.data, ...claims };
}
