import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EndpointDefinition } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Log } from './logging.ts';

/** Keeps the answers of calls sent with an `Idempotency-Key`, so that a call sent twice is done once. */
export interface Idempotency {
  /**
   * Null: the call is new, and reserved until `keep` or `release`. Else the answer it had. Throws when the key was used for
   * another call (`fingerprint`), or for one that is still at work.
   */
  begin(
    workspaceId: number,
    key: string,
    fingerprint: Buffer,
  ): Promise<{ status: number; body: string } | null>;
  keep(workspaceId: number, key: string, answer: { status: number; body: string }): Promise<void>;
  release(workspaceId: number, key: string): Promise<void>;
}

/** What a call answers: the status and the JSON body. */
export interface Answer {
  status: number;
  body: unknown;
}

interface Once {
  key: string;
  definition: EndpointDefinition;
  call: { request: FastifyRequest; reply: FastifyReply; workspaceId: number; body: unknown };
  idempotency: Idempotency | undefined;
  log: Log;
}

/** Whether a call may be sent with an `Idempotency-Key`: its body and its answer are both JSON, and no secret. */
export function canBeRepeated({ method, access, body, response, secretAnswer }: EndpointDefinition): boolean {
  if (method !== 'POST' || access.kind !== 'member' || secretAnswer) return false;
  return !('raw' in response) && !(body && 'multipart' in body);
}

/** Does a call at most once for its key: the second time the first answer is given again. `work` answers null when it has replied. */
export async function once(
  { key, definition, call, idempotency, log }: Once,
  work: () => Promise<Answer | null>,
): Promise<Answer | null> {
  if (!idempotency || !canBeRepeated(definition))
    throw new AppError('bad_request', 'This call cannot be sent with an Idempotency-Key.');
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw new AppError('bad_request', 'An Idempotency-Key is 1 to 200 printable characters without spaces.');
  const { request, reply, workspaceId, body } = call;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([definition.method, request.url, body ?? null]))
    .digest();
  const kept = await idempotency.begin(workspaceId, key, fingerprint);
  if (kept) {
    reply.header('idempotent-replayed', 'true');
    return { status: kept.status, body: JSON.parse(kept.body) };
  }
  const warn = (error: unknown) => log.warn({ err: error }, 'an Idempotency-Key could not be kept');
  let answer: Answer | null = null;
  try {
    answer = await work();
  } finally {
    // What failed did nothing, and may be sent again with the same key.
    if (answer === null) await idempotency.release(workspaceId, key).catch(warn);
  }
  if (answer) {
    const { status, body: given } = answer;
    await idempotency.keep(workspaceId, key, { status, body: JSON.stringify(given) }).catch(warn);
  }
  return answer;
}
