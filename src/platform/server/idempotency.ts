import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { EndpointDefinition } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type CallAnswer, withContext } from './call-context.ts';
import type { TenantTx } from './database.ts';
import { asAppError, errorBody } from './error-map.ts';
import type { Log } from './logging.ts';

/*
 * The life of a key:
 *
 *   reserved --(a transaction of the call changed something)--> done --(the answer is there)--> answered
 *      |                                                          \---(cut off)--> refused: done, its answer lost
 *      +--(failed before it changed anything)--> free again
 *
 * "Done" is written in the transaction that does the work, and the answer too where it is known
 * there. So a call whose work was committed is never done again, whatever becomes of its answer or
 * of the process.
 */

/** The answer of a call as it is kept: the JSON text of its body. */
export interface KeptAnswer {
  status: number;
  body: string;
}

/**
 * Keeps the answers of calls sent with an `Idempotency-Key`, so that a call sent twice is done
 * once.
 */
export interface Idempotency {
  /**
   * Null: the call is new, and reserved until `keep` or `fail`. Else the answer it had. Throws when
   * the key was used for another call (`fingerprint`), for one that is still at work, or for one
   * whose answer is lost.
   */
  begin(workspaceId: number, key: string, fingerprint: Buffer): Promise<KeptAnswer | null>;
  /**
   * In a transaction of the call: notes that it changes something, if it does, and the answer where
   * it is known.
   */
  markDone(tx: TenantTx, workspaceId: number, key: string, answer: KeptAnswer | null): Promise<void>;
  keep(workspaceId: number, key: string, answer: KeptAnswer): Promise<void>;
  /**
   * After a call that failed: lets go of the key when nothing was changed. Else the call is never
   * done again: it is answered `final`, or what its transaction kept, or `lost`.
   */
  fail(
    workspaceId: number,
    key: string,
    answers: { final: KeptAnswer | null; lost: KeptAnswer },
  ): Promise<void>;
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

/**
 * Whether a call may be sent with an `Idempotency-Key`: its body and its answer are both JSON, and
 * no secret.
 */
export function canBeRepeated({ method, access, body, response, secretAnswer }: EndpointDefinition): boolean {
  if (method !== 'POST' || access.kind !== 'member' || secretAnswer) return false;
  return !('raw' in response) && !(body && 'multipart' in body);
}

/**
 * Does a call at most once for its key: the second time the first answer is given again. `work`
 * answers null when it has replied.
 */
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
  return doOnce({ idempotency, workspaceId, key, definition, reply, log }, work);
}

interface Reserved {
  idempotency: Idempotency;
  workspaceId: number;
  key: string;
  definition: EndpointDefinition;
  reply: FastifyReply;
  log: Log;
}

async function doOnce(reserved: Reserved, work: () => Promise<Answer | null>): Promise<Answer | null> {
  const { idempotency, workspaceId, key, log } = reserved;
  const warn = (error: unknown) => log.warn({ err: error }, 'an Idempotency-Key could not be kept');
  const fail = (final: KeptAnswer | null) =>
    idempotency.fail(workspaceId, key, { final, lost: lostAnswer }).catch(warn);
  let committed: KeptAnswer | null = null;
  const beforeCommit = async (tx: TenantTx, tenant: number, given: CallAnswer | undefined) => {
    if (tenant !== workspaceId) return;
    const answer = given ? textOf(reserved, given) : null;
    await idempotency.markDone(tx, workspaceId, key, answer);
    committed = answer ?? committed;
  };
  let answer: Answer | null;
  try {
    answer = await withContext({ beforeCommit }, work);
  } catch (error) {
    await fail(finalAnswer(error));
    throw error;
  }
  if (!answer) await fail(null);
  else {
    const text = { status: answer.status, body: JSON.stringify(answer.body) };
    if (!isSame(text, committed)) await idempotency.keep(workspaceId, key, text).catch(warn);
  }
  return answer;
}

/**
 * The answer as it is kept. An interim one that the endpoint does not know is none; any other that
 * it does not know throws.
 */
function textOf({ definition, reply }: Reserved, given: CallAnswer): KeptAnswer | null {
  const parsed = (definition.response as z.ZodType).safeParse(given.body);
  if (!parsed.success) {
    if (given.isInterim) return null;
    throw new z.ZodRealError(parsed.error.issues);
  }
  const status = given.status ?? definition.status ?? reply.statusCode;
  return { status, body: JSON.stringify(parsed.data) };
}

const isSame = (one: KeptAnswer, other: KeptAnswer | null): boolean =>
  one.status === other?.status && one.body === other.body;

/** Failures that say nothing of the work that was done before them. */
const passing = new Set<string>(['internal', 'unavailable', 'timeout', 'rate_limited']);

/** A failure that stays true, as an answer: what the task that the call began has failed of. */
function finalAnswer(thrown: unknown): KeptAnswer | null {
  const error = asAppError(thrown);
  return passing.has(error.kind) ? null : asAnswer(error);
}

const asAnswer = (error: AppError): KeptAnswer => ({
  status: error.status,
  body: JSON.stringify(errorBody(error)),
});

const lostAnswer = asAnswer(
  new AppError(
    'conflict',
    'The call with this Idempotency-Key changed data before it failed, and its answer is lost. It was not repeated. ' +
      'Look at what it did, and take a new key to do more.',
  ),
);
