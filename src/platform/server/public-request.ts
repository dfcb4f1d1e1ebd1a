import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { publicLookup, refuseLiteral } from './public-address.ts';

export interface PublicRequest {
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** For everything, redirects included. */
  timeoutMs?: number;
  /** Redirects that are followed. 0 by default: the answer is then the redirect itself. */
  redirects?: number;
  /** Bytes of the answer's body that are read. 0 by default. What is longer fails. */
  bodyBytes?: number;
  /** Who may be called. Others than the public internet only where the operator named the host. */
  guard?: { lookup: LookupFunction | undefined; refuseLiteral(host: string): void };
}

export interface PublicAnswer {
  status: number;
  /** Where the last redirect led. */
  url: string;
  body: Buffer;
}

/** A sentence for people about a call that got no answer. */
export class NoAnswer extends Error {
  readonly code = 'ENOANSWER';
}

const publicOnly = { lookup: publicLookup, refuseLiteral };

/**
 * Calls a URL that a user named: http and https alone, hosts on the public internet alone, at each
 * redirect anew. Nothing that identifies this installation goes along beside what is given.
 * @throws NotPublic for a host that may not be called
 * @throws NoAnswer when nothing came back, in words
 */
export async function callPublic(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
    timeoutMs = 5_000,
    redirects = 0,
    bodyBytes = 0,
    guard = publicOnly,
  }: PublicRequest = {},
): Promise<PublicAnswer> {
  const until = AbortSignal.timeout(timeoutMs);
  let here = parsed(url);
  for (let hop = 0; ; hop++) {
    guard.refuseLiteral(here.hostname);
    const answer = await once(here, { method, headers, body, bodyBytes, until, lookup: guard.lookup });
    const next = answer.location;
    if (next === undefined || redirects === 0)
      return { status: answer.status, url: here.href, body: answer.body };
    if (hop >= redirects) throw new NoAnswer('It leads from one address to the next without end.');
    here = parsed(next, here);
  }
}

function parsed(url: string, base?: URL): URL {
  if (!URL.canParse(url, base?.href)) throw new NoAnswer('It is no address of a page.');
  const found = new URL(url, base?.href);
  if (found.protocol !== 'http:' && found.protocol !== 'https:')
    throw new NoAnswer(`It leads to an address that begins with ${found.protocol}`);
  // A password in a link belongs to nobody here.
  found.username = '';
  found.password = '';
  return found;
}

interface Once {
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | undefined;
  bodyBytes: number;
  until: AbortSignal;
  lookup: LookupFunction | undefined;
}

function once(
  url: URL,
  { method, headers, body, bodyBytes, until, lookup }: Once,
): Promise<{ status: number; location: string | undefined; body: Buffer }> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      { method, headers, signal: until, agent: false, ...(lookup ? { lookup } : {}) },
      (response) => {
        const { statusCode: status = 0, headers: said } = response;
        const location = status >= 300 && status < 400 ? said.location : undefined;
        const done = (read: Buffer) => {
          resolve({ status, location, body: read });
          response.destroy();
        };
        if (bodyBytes === 0 || location !== undefined) return done(Buffer.alloc(0));
        const pieces: Buffer[] = [];
        let size = 0;
        response.on('data', (piece: Buffer) => {
          size += piece.length;
          if (size > bodyBytes) response.destroy(new NoAnswer('The answer is too long.'));
          else pieces.push(piece);
        });
        response.on('end', () => done(Buffer.concat(pieces)));
        response.on('error', (error) => reject(inWords(error, until)));
      },
    );
    call.on('error', (error) => reject(inWords(error, until)));
    call.end(body);
  });
}

const causes: Readonly<Record<string, string>> = {
  ENOTFOUND: 'There is no such host.',
  EAI_AGAIN: 'The name of its host could not be looked up.',
  ECONNREFUSED: 'The server refused the connection.',
  ECONNRESET: 'The server broke the connection.',
  ETIMEDOUT: 'The server did not answer in time.',
  EHOSTUNREACH: 'The server cannot be reached.',
  ENETUNREACH: 'The server cannot be reached.',
  CERT_HAS_EXPIRED: 'The certificate of the server has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the server is for another name.',
};

function inWords(error: Error & { code?: string }, until: AbortSignal): Error {
  const { code = '' } = error;
  if (code === 'ENOTPUBLIC' || code === 'ENOANSWER') return error;
  if (until.aborted) return new NoAnswer(causes.ETIMEDOUT, { cause: error });
  const isTls = /^(ERR_TLS|ERR_SSL|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO)/.test(code);
  const words =
    causes[code] ?? (isTls ? 'The certificate of the server is not valid.' : 'The server gave no answer.');
  return new NoAnswer(words, { cause: error });
}
