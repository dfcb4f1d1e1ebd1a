import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answersOf } from '#platform/server/openapi.ts';
import { errorBody } from '#platform/shared/contract.ts';

/**
 * Compares each answer with what the API document says of its call: the status, the content type,
 * and the shape of a failure. `told-answers.ts` fails a test whose calls were answered otherwise.
 */
const found: string[] = [];

/** What was found since the last time. */
export const takeUntold = (): string[] => found.splice(0);

/** Call it before the first call is made. */
export function watchAnswers(app: FastifyInstance): void {
  const looked = new WeakSet<FastifyReply>();
  app.addHook('onSend', async (request, reply, payload) => {
    looked.add(reply);
    note(request, untold(request, reply.statusCode, reply.getHeader('content-type')));
    // Where there is nothing, only the whole product answers in its own shape.
    const isCall = request.routeOptions.config.endpoint || request.url.startsWith('/api/');
    const isPage = /^text\/html/.test(String(reply.getHeader('content-type')));
    if (reply.statusCode >= 400 && isCall && !isPage) note(request, wrongFailure(payload));
  });
  // Only progress streams are written past the framework.
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode, headersSent } = reply.raw;
    if (!looked.has(reply) && headersSent)
      note(request, untold(request, statusCode, reply.raw.getHeader('content-type')));
  });
}

function note({ method, url }: FastifyRequest, complaint: string | undefined): void {
  if (complaint !== undefined) found.push(`${method} ${url.slice(0, 200)} ${complaint}`);
}

/** What the document does not say about an answer. */
function untold({ routeOptions }: FastifyRequest, status: number, contentType: unknown): string | undefined {
  const { endpoint } = routeOptions.config;
  // No call of the document: a page, or an address where there is nothing.
  if (!endpoint) return undefined;
  const types = answersOf(endpoint).get(status);
  if (!types) return `answered ${status}, which ${endpoint.path} does not list`;
  const type = String(contentType ?? '').split(';', 1)[0] ?? '';
  if (types.includes(type) || (type === '' && types.length === 0)) return undefined;
  return `answered ${status} as “${type}”, and lists ${types.join(', ')}`;
}

function wrongFailure(payload: unknown): string | undefined {
  try {
    errorBody.strict().parse(JSON.parse(String(payload)));
    return undefined;
  } catch {
    return `failed with a body of another shape: ${String(payload).slice(0, 200)}`;
  }
}
