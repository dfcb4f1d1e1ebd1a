import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';

/**
 * An identity provider on this machine: discovery, authorization with PKCE, tokens, keys and user
 * info over HTTP, with properly signed ID tokens. It says about a person whatever a test wants,
 * true or not.
 */
export interface TestProvider {
  issuer: string;
  /** The product's settings for this provider. */
  env: Record<string, string>;
  /** The people to choose from on its sign-in page. */
  people: Person[];
  /** The requested paths, in order. */
  asked: string[];
  /** Acts as a person at its sign-in page. Returns where the browser is sent back to. */
  approve(authorizationUrl: string, person: Person, twist?: Twist): Promise<URL>;
  /** Stops answering, or answers again. */
  setAway(away: boolean): void;
  /** What discovery says instead. */
  announce(changes: Record<string, unknown>): void;
  close(): Promise<void>;
}

export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  [claim: string]: unknown;
}

/** What it does wrong. */
export interface Twist {
  /** Claims of the ID token that replace the true ones. Undefined leaves one out. */
  claims?: Record<string, unknown>;
  /** Signs the ID token with a key that it does not publish, or with the client's secret. */
  signedWith?: 'another key' | 'the secret';
  /** The issuer named in the answer to the browser (RFC 9207). Undefined leaves it out. */
  iss?: string | undefined;
  /** Gives name and address only at the user info endpoint, for this subject. */
  onlyInUserInfo?: { sub: string };
}

interface Grant {
  person: Person;
  twist: Twist;
  challenge: string;
  nonce: string | null;
  redirectUri: string;
}

const clientId = 'email-manager';
// Characters that a header has to encode.
const clientSecret = 'a secret: with +, / and %';

export async function openTestProvider(): Promise<TestProvider> {
  const keys = await generateKeyPair('RS256');
  const otherKeys = await generateKeyPair('RS256');
  const published = { ...(await exportJWK(keys.publicKey)), kid: 'one', use: 'sig', alg: 'RS256' };
  const codes = new Map<string, Grant>();
  const accessTokens = new Map<string, Record<string, unknown>>();
  const asked: string[] = [];
  const people: Person[] = [];
  let away = false;
  let changes: Record<string, unknown> = {};

  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (away) return void request.socket.destroy();
    answer(request, response).catch((error) => send(response, 500, { error: String(error) }));
  });
  const issuer = `http://127.0.0.1:${await listening(server)}`;

  const approve: TestProvider['approve'] = async (address, person, twist = {}) => {
    const query = new URL(address).searchParams;
    const problem = requestProblem(query);
    if (problem !== null) throw new Error(`the provider was asked wrongly: ${problem}`);
    const code = randomBytes(16).toString('hex');
    const redirectUri = query.get('redirect_uri') ?? '';
    codes.set(code, {
      person,
      twist,
      challenge: query.get('code_challenge') ?? '',
      nonce: query.get('nonce'),
      redirectUri,
    });
    return back(redirectUri, { code, state: query.get('state'), iss: 'iss' in twist ? twist.iss : issuer });
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer);
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return send(response, 200, { ...documentOf(issuer), ...changes });
      case '/keys':
        return send(response, 200, { keys: [published] });
      case '/authorize':
        return sendPage(response, url, people);
      case '/choice':
        return redirect(response, await chosen(url, people, approve));
      case '/token':
        return redeem(request, response);
      case '/userinfo': {
        const claims = accessTokens.get((request.headers.authorization ?? '').replace('Bearer ', ''));
        return claims ? send(response, 200, claims) : send(response, 401, { error: 'invalid_token' });
      }
      case '/favicon.ico':
        return send(response, 200, {});
      default:
        return send(response, 404, { error: 'not_found' });
    }
  }

  async function redeem(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await bodyOf(request));
    const grant = codes.get(form.get('code') ?? '');
    // A code works only once, whatever the outcome.
    codes.delete(form.get('code') ?? '');
    if (!isClient(request, form)) return send(response, 401, { error: 'invalid_client' });
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || verifier !== grant.challenge || form.get('redirect_uri') !== grant.redirectUri)
      return send(response, 400, { error: 'invalid_grant' });
    const accessToken = randomBytes(16).toString('hex');
    const { onlyInUserInfo } = grant.twist;
    accessTokens.set(accessToken, { ...grant.person, ...onlyInUserInfo });
    send(response, 200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 300,
      id_token: await idTokenFor(grant),
    });
  }

  async function idTokenFor({ person, twist, nonce }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce,
      ...(twist.onlyInUserInfo ? { sub: person.sub } : person),
      ...twist.claims,
    };
    const isSecret = twist.signedWith === 'the secret';
    const key: CryptoKey | Uint8Array = isSecret
      ? new TextEncoder().encode(clientSecret)
      : (twist.signedWith === 'another key' ? otherKeys : keys).privateKey;
    return new SignJWT(JSON.parse(JSON.stringify(claims)))
      .setProtectedHeader({ alg: isSecret ? 'HS256' : 'RS256', kid: 'one' })
      .sign(key);
  }

  return {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
    people,
    asked,
    approve,
    setAway: (value) => {
      away = value;
      server.closeAllConnections();
    },
    announce: (value) => {
      changes = value;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const documentOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  userinfo_endpoint: `${issuer}/userinfo`,
  response_types_supported: ['code'],
  id_token_signing_alg_values_supported: ['RS256'],
  authorization_response_iss_parameter_supported: true,
});

/** What is wrong with the authorization request that a browser brings, or null. */
function requestProblem(query: URLSearchParams): string | null {
  if (query.get('response_type') !== 'code') return 'no code is asked for';
  if (query.get('client_id') !== clientId) return 'another client';
  if (!query.get('scope')?.split(' ').includes('openid')) return 'without the scope openid';
  if (query.get('code_challenge_method') !== 'S256' || !query.get('code_challenge')) return 'without PKCE';
  if (!query.get('state') || !query.get('nonce')) return 'without state or nonce';
  return null;
}

/** By header or by form: OpenID Connect Discovery 1.0 lets a provider choose. */
function isClient(request: IncomingMessage, form: URLSearchParams): boolean {
  const [, basic] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  if (!basic) return form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
  const decoded = new URLSearchParams(`id=${id}&secret=${secret}`);
  return decoded.get('id') === clientId && decoded.get('secret') === clientSecret;
}

function back(redirectUri: string, answer: Record<string, string | null | undefined>): URL {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) if (value) url.searchParams.set(name, value);
  return url;
}

async function chosen(url: URL, people: Person[], approve: TestProvider['approve']): Promise<URL> {
  const person = people.find(({ sub }) => sub === url.searchParams.get('sub'));
  if (person) return approve(url.href, person);
  const { searchParams: query } = url;
  return back(query.get('redirect_uri') ?? '', { error: 'access_denied', state: query.get('state') });
}

/** Its sign-in page: a link for each person, and one that refuses. */
function sendPage(response: ServerResponse, url: URL, people: Person[]): void {
  const link = (sub: string, label: string) => {
    const query = new URLSearchParams(url.searchParams);
    query.set('sub', sub);
    return `<li><a href="/choice?${query.toString().replaceAll('&', '&amp;')}">${label}</a></li>`;
  };
  const links = [
    ...people.map(({ sub, name }) => link(sub, `Sign in as ${String(name ?? sub)}`)),
    link('', 'Cancel'),
  ];
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><title>Test provider</title><h1>Test provider</h1><ul>${links.join('')}</ul>`);
}

function redirect(response: ServerResponse, to: URL): void {
  response.writeHead(302, { location: to.href });
  response.end();
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
