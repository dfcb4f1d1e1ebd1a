import type { z } from 'zod';
import type { BodyInput, EndpointDefinition, QueryInput, ResponseOf } from '#platform/shared/contract.ts';

/** A call that the product refused, with the product's own words. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refused';
    this.status = status;
  }
}

type Input<D extends EndpointDefinition> = {
  query?: D['query'] extends z.ZodType ? QueryInput<D> : never;
  body?: D['body'] extends z.ZodType ? BodyInput<D> : never;
};

/** A signed-in person, calling the product over HTTP like a browser. */
export class Client {
  readonly #url: string;
  #cookie = '';

  constructor(url: string) {
    this.#url = url;
  }

  /** Signs in. Throws `Refused` when the password is wrong or nobody has this address. */
  signIn(email: string, password: string): Promise<void> {
    return this.#enter('sign-in', { email, password });
  }

  /** Creates an account with its workspace and signs in. */
  signUp(name: string, email: string, password: string): Promise<void> {
    return this.#enter('sign-up', { name, email, password });
  }

  async #enter(way: 'sign-in' | 'sign-up', body: Record<string, string>): Promise<void> {
    const answer = await this.post(`/api/auth/${way}/email`, body);
    this.#cookie = answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
  }

  /** Pass the finished `path` for a call with parameters in its path. */
  async call<const D extends EndpointDefinition>(
    endpoint: D,
    { query, body }: Input<D> = {},
    path: string = endpoint.path,
  ): Promise<ResponseOf<D>> {
    const search = query ? `?${new URLSearchParams(query as Record<string, string>)}` : '';
    const answer = await this.#send(endpoint.method, `${path}${search}`, body);
    return (await answer.json()) as ResponseOf<D>;
  }

  /** For the sign-in library's own calls, which have no endpoint of ours. */
  post(path: string, body: unknown): Promise<Response> {
    return this.#send('POST', path, body);
  }

  /** Sends a form with a file. */
  async upload(
    path: string,
    fields: Record<string, string>,
    fileName: string,
    content: string,
  ): Promise<unknown> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([content], { type: 'text/csv' }), fileName);
    return (await this.#fetch(path, { method: 'POST', body: form })).json();
  }

  #send(method: string, path: string, body: unknown): Promise<Response> {
    return this.#fetch(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#cookie !== '') headers.set('cookie', this.#cookie);
    const answer = await fetch(this.#url + path, { ...init, headers });
    if (answer.ok) return answer;
    const text = await answer.text();
    throw new Refused(answer.status, messageIn(text) ?? `${answer.status} ${answer.statusText}`);
  }
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { message?: string }).message;
  } catch {
    return undefined;
  }
}
