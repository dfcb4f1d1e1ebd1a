import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddressHeader } from './auth.ts';
import { asProductError } from './library-errors.ts';

/** Calls of the sign-in library that are made on the way through a call of ours. */
export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export const cookieOf = ({ request }: Exchange): string => request.headers.cookie ?? '';

/** What the library needs to know of the call: its cookies, whose browser, from where. */
export function headersOf(request: FastifyRequest, cookie: string): Headers {
  return new Headers({
    cookie,
    // Foreign origins were refused before this; the library insists on being told.
    origin: `${request.protocol}://${request.host}`,
    'user-agent': request.headers['user-agent'] ?? '',
    [clientAddressHeader]: request.ip,
  });
}

/** Passes on the cookies the library sets, and throws what it refused in this product's words. */
export async function unpack<T>(reply: FastifyReply, response: Response): Promise<T> {
  passCookies(reply, response);
  const text = await response.text();
  if (response.status >= 400) throw asProductError(response.status, text, null);
  return JSON.parse(text) as T;
}

export function passCookies(reply: FastifyReply, response: Response): void {
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie);
}
