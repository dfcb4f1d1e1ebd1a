import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { AppError } from '#platform/shared/errors.ts';
import { errorBody } from './error-map.ts';

/** Answers to calls that reach no route: not HTTP, too slow, too large, or with a wrong method. */

/** Answers a call that Node's parser refused. There is a connection, but no reply yet. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  answerAndClose(socket, asRefusal(error.code));
}

function asRefusal(code: string | undefined): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow('The head of the call');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError('head_too_large', 'The head of the call is larger than 16 kB.');
  return new AppError('bad_request', 'The request was not understood: it is not HTTP.');
}

const tooSlow = (what: string) =>
  new AppError('too_slow', `${what} did not arrive in time, and the connection was closed.`);

/** For a body that trickles in. */
export const answerSlowBody = (socket: Socket): void =>
  answerAndClose(socket, tooSlow('The body of the call'));

function answerAndClose(socket: Socket, error: AppError): void {
  if (socket.writable) {
    const body = JSON.stringify(errorBody(error));
    socket.write(
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}

/** Takes a call that expects more than the server knows (RFC 9110, 10.1.1) as one that does not. */
export function ignoreExpectations(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    app.server.emit('request', request, response),
  );
}

const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/**
 * Answers a method that a path does not take with 405 and the methods that it does (RFC 9110,
 * 15.5.6). Call it when the last route was added.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  calls: Iterable<{ method: string; path: string }>,
): void {
  const taken = new Map<string, Set<string>>();
  for (const { method, path } of calls) taken.set(path, (taken.get(path) ?? new Set()).add(method));
  for (const [url, own] of taken) {
    const allow = [...own, ...(own.has('GET') ? ['HEAD'] : [])].sort().join(', ');
    app.route({
      url,
      method: methods.filter((method) => !own.has(method)),
      handler: async (request, reply) => {
        reply.header('allow', allow);
        throw new AppError('method_not_allowed', `This path takes ${allow}, not ${request.method}.`);
      },
    });
  }
}
