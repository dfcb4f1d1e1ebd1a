import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  BodyInput,
  EndpointDefinition,
  ParamsInput,
  QueryInput,
  ResponseOf,
} from '#platform/shared/contract.ts';

/**
 * A failed call. `message` is `<status>: <body text or status text>`. Screens show `serverMessage`,
 * the server's own words, or `words(error)`. `status` is 0 when no answer came at all.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly serverMessage: string | undefined;
  readonly fields: Record<string, string>;
  /** Seconds to wait, if the server says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, statusText: string, text: string, retryAfter?: number) {
    super(`${status}: ${text || statusText}`);
    this.name = 'ApiError';
    this.status = status;
    this.retryAfter = retryAfter;
    const body = parsed(text);
    this.code = typeof body.code === 'string' ? body.code : undefined;
    this.serverMessage = typeof body.message === 'string' && body.message !== '' ? body.message : undefined;
    this.fields = isRecord(body.fields) ? (body.fields as Record<string, string>) : {};
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * What to tell a person about a failure: the server's sentence, or that no answer came, or
 * `fallback`.
 */
export function words(error: unknown, fallback = 'Something went wrong. Please try again.'): string {
  if (!(error instanceof ApiError)) return fallback;
  if (error.status === 0) return 'The server could not be reached. Check your connection and try again.';
  return error.serverMessage ?? fallback;
}

/**
 * Whether the server refused what was given, and says why. A form shows that itself, beside what it
 * is about. Any other failure has no place there and is told in a toast, so that each is told once.
 */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  (error.serverMessage !== undefined || Object.keys(error.fields).length > 0);

/** Whether nothing was stored, because somebody has changed it since it was read. */
export const isChangedMeanwhile = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'changed_meanwhile';

type Given<D extends EndpointDefinition, K extends 'params' | 'query' | 'body', T> = D[K] extends z.ZodType
  ? Record<never, never> extends T
    ? { [P in K]?: T }
    : { [P in K]: T }
  : { [P in K]?: undefined };

/**
 * A call's input: exactly the parts its endpoint declares. A part whose fields are all optional is
 * itself optional.
 */
export type CallInput<D extends EndpointDefinition> = Given<D, 'params', ParamsInput<D>> &
  Given<D, 'query', QueryInput<D>> &
  Given<D, 'body', BodyInput<D>> & { signal?: AbortSignal; headers?: Record<string, string> };

export type CallArguments<D extends EndpointDefinition> =
  Record<never, never> extends CallInput<D> ? [input?: CallInput<D>] : [input: CallInput<D>];

interface Parts {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** The address of a call, with its path parameters and its query. Leaves out absent values. */
export function addressOf(
  endpoint: EndpointDefinition,
  { params, query }: Pick<Parts, 'params' | 'query'>,
): string {
  const values = isRecord(params) ? params : {};
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(isRecord(query) ? query : {})) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

const retryAfterOf = (value: string | null): number | undefined => {
  const seconds = Number(value);
  return value !== null && Number.isFinite(seconds) ? seconds : undefined;
};

let workspace: number | undefined;

/**
 * Sets the workspace that the page shows. Each call carries it, so that no call acts on another
 * workspace after the session has moved on, through a switch in another tab or a membership that
 * ended. Undefined: none yet.
 */
export function setWorkspace(id: number | undefined): void {
  workspace = id;
}

export const shownWorkspace = (): number | undefined => workspace;

let person: string | undefined;

/**
 * Sets whose screens the page shows. Each call carries it, so that nothing one person has written
 * is done in the name of another one who has signed in in another tab. Undefined: nobody's.
 */
export function setPerson(id: string | undefined): void {
  person = id;
}

export const shownPerson = (): string | undefined => person;

/** Whom and which workspace the page shows. */
export const shownHeaders = (): Record<string, string> => ({
  ...(workspace === undefined ? {} : { 'x-workspace': String(workspace) }),
  ...(person === undefined ? {} : { 'x-person': person }),
});

/** Fetches with cookies. Throws `ApiError` when the answer is not ok or none arrives. */
export async function request(address: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, {
      credentials: 'include',
      ...init,
      headers: { ...shownHeaders(), ...(init.headers as Record<string, string> | undefined) },
    });
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiError(0, 'No answer from the server', '');
  }
  if (response.ok) return response;
  const retryAfter = retryAfterOf(response.headers.get('retry-after'));
  throw new ApiError(response.status, response.statusText, await response.text().catch(() => ''), retryAfter);
}

async function send(endpoint: EndpointDefinition, parts: Parts): Promise<unknown> {
  if ('raw' in endpoint.response) return fetched(endpoint, parts);
  if (endpoint.method !== 'GET') return contentOf(await fetched(endpoint, parts));
  const limit = limitOf(parts.signal);
  try {
    return await contentOf(await fetched(endpoint, { ...parts, signal: limit.signal }));
  } catch (cause) {
    // While the body is read, some browsers throw an error of their own.
    throw limit.signal.reason instanceof ApiError ? limit.signal.reason : cause;
  } finally {
    limit.end();
  }
}

const fetched = (endpoint: EndpointDefinition, { signal, body, headers, ...address }: Parts) =>
  request(addressOf(endpoint, address), {
    method: endpoint.method,
    ...(signal ? { signal } : {}),
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

async function contentOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** Milliseconds. The server gives up a statement of the database after 120 seconds, and says so. */
const longestRead = 150_000;

/**
 * A signal that ends a read with `given`, and also when no answer came in time. A network that
 * drops packets would otherwise leave a screen waiting for ever.
 */
function limitOf(given: AbortSignal | undefined) {
  const controller = new AbortController();
  const late = setTimeout(
    () => controller.abort(new ApiError(0, 'No answer from the server', '')),
    longestRead,
  );
  const stop = () => controller.abort(given?.reason);
  if (given?.aborted) stop();
  given?.addEventListener('abort', stop);
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(late);
      given?.removeEventListener('abort', stop);
    },
  };
}

/**
 * Makes a call. The endpoint gives the types of input and answer. A raw endpoint returns the
 * `Response`.
 */
export function call<const D extends EndpointDefinition>(
  endpoint: D,
  ...[input]: CallArguments<D>
): Promise<ResponseOf<D>> {
  return send(endpoint, (input ?? {}) as Parts) as Promise<ResponseOf<D>>;
}

/**
 * The cache key of a call. It begins with the path, so `[endpoint.path]` matches every page and
 * filter of it.
 */
export function queryKeyOf(
  endpoint: Pick<EndpointDefinition, 'path'>,
  { params, query }: Pick<Parts, 'params' | 'query'> = {},
) {
  return [endpoint.path, { params: params ?? null, query: query ?? null }] as const;
}

/**
 * Query options for a GET call: `useQuery({ ...queryOptionsFor(getStats), staleTime: 60_000 })`.
 */
export function queryOptionsFor<const D extends EndpointDefinition>(
  endpoint: D,
  ...[input]: CallArguments<D>
) {
  const parts = (input ?? {}) as Parts;
  return queryOptions<ResponseOf<D>, ApiError>({
    queryKey: queryKeyOf(endpoint, parts),
    queryFn: ({ signal }) => send(endpoint, { ...parts, signal }) as Promise<ResponseOf<D>>,
  });
}
