import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { EndpointDefinition } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type CallAnswer, inBackground, withContext } from './call-context.ts';
import type { TenantTx } from './database.ts';
import type { DiskSpace } from './disk/disk-space.ts';
import { diskFull } from './disk/out-of-room.ts';
import { asAppError, errorBody } from './error-map.ts';
import type { Log } from './logging.ts';
import { untilReachable } from './work/stopped.ts';

/*
 * The life of a key:
 *
 *   reserved --(a transaction of the call changed something)--> done --(the answer is there)--> answered
 *      |                                                          \---(cut off)--> refused: done, its answer lost
 *      +--(failed before it changed anything)--> free again
 *
 * The transaction that does the work also writes "done", and the answer if it is known by then.
 * So committed work never runs again, whatever happens to its answer or to the process.
 */

/** A stored answer. `body` is JSON text. */
export interface KeptAnswer {
  status: number;
  body: string;
}

/**
 * Keeps the answers of calls sent with an `Idempotency-Key`, so that a call sent twice runs once.
 */
export interface Idempotency {
  /**
   * Returns null for a new call, which is now reserved until `keep` or `fail`. Otherwise returns
   * its earlier answer. Throws when the key belongs to another call (`fingerprint`), to one still
   * running, or to one whose answer is lost.
   */
  begin(workspaceId: number, key: string, fingerprint: Buffer): Promise<KeptAnswer | null>;
  /** The same without reserving anything: null for a call that was not made yet. Only reads. */
  find(workspaceId: number, key: string, fingerprint: Buffer): Promise<KeptAnswer | null>;
  /**
   * Runs in a transaction of the call. Records that it changes something, if it does, and the
   * answer if it is known.
   */
  markDone(tx: TenantTx, workspaceId: number, key: string, answer: KeptAnswer | null): Promise<void>;
  keep(workspaceId: number, key: string, answer: KeptAnswer): Promise<void>;
  /**
   * After a failed call: releases the key if nothing was changed. Otherwise the call never runs
   * again, and its answer is `final`, or what its transaction kept, or `lost`.
   */
  fail(
    workspaceId: number,
    key: string,
    answers: { final: KeptAnswer | null; lost: KeptAnswer },
  ): Promise<void>;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** The status for callers who do not wait. */
export const acceptedStatus = 202;

/** The status of a success. */
export function statusOf({ status, accepted }: EndpointDefinition, { statusCode }: FastifyReply): number {
  if (accepted && statusCode === acceptedStatus) return acceptedStatus;
  return status ?? statusCode;
}

/** What the answer with this status looks like. */
export const answerSchema = ({ response, accepted }: EndpointDefinition, status: number): z.ZodType =>
  (status === acceptedStatus && accepted ? accepted : response) as z.ZodType;

interface Once {
  key: string;
  definition: EndpointDefinition;
  call: { request: FastifyRequest; reply: FastifyReply; workspaceId: number; body: unknown };
  idempotency: Idempotency | undefined;
  /** While it is full, no call begins. One that was made before is answered all the same. */
  disk: DiskSpace | undefined;
  log: Log;
}

/**
 * Whether a call may carry an `Idempotency-Key`: its body and its answer must be JSON, and the
 * answer must not be secret.
 */
export function canBeRepeated({ method, access, body, response, secretAnswer }: EndpointDefinition): boolean {
  if (method !== 'POST' || access.kind !== 'member' || secretAnswer) return false;
  return !('raw' in response) && !(body && 'multipart' in body);
}

/** While the disk is full, what would write is refused before it takes the last room. */
export const refusesNew = (
  { method, writesLittle }: EndpointDefinition,
  disk: DiskSpace | undefined,
): boolean => disk?.isFull === true && method !== 'GET' && !writesLittle;

/**
 * Runs a call at most once for its key. The second time it returns the first answer. `work` returns
 * null when it has already replied.
 */
export async function once(
  { key, definition, call, idempotency, disk, log }: Once,
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
  const isRefused = refusesNew(definition, disk);
  const kept = await idempotency[isRefused ? 'find' : 'begin'](workspaceId, key, fingerprint);
  if (!kept && isRefused) throw diskFull();
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
  const fail = (final: KeptAnswer | null) => idempotency.fail(workspaceId, key, { final, lost: lostAnswer });
  // The call is answered meanwhile: what kept the work from being done may keep this from it too.
  const end = (final: KeptAnswer | null) =>
    fail(final).catch(() => void inBackground(() => untilReachable(() => fail(final))).catch(warn));
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
    await end(finalAnswer(error));
    throw error;
  }
  if (!answer) await end(null);
  else {
    const text = { status: answer.status, body: JSON.stringify(answer.body) };
    if (!isSame(text, committed)) await idempotency.keep(workspaceId, key, text).catch(warn);
  }
  return answer;
}

/**
 * The answer to store. Returns null for an interim answer that does not fit the endpoint's schema.
 * Throws for any other answer that does not fit.
 */
function textOf({ definition, reply }: Reserved, given: CallAnswer): KeptAnswer | null {
  const status = given.status ?? statusOf(definition, reply);
  const parsed = answerSchema(definition, status).safeParse(given.body);
  if (!parsed.success) {
    if (given.isInterim) return null;
    throw new z.ZodRealError(parsed.error.issues);
  }
  return { status, body: JSON.stringify(parsed.data) };
}

const isSame = (one: KeptAnswer, other: KeptAnswer | null): boolean =>
  one.status === other?.status && one.body === other.body;

/** Failures that say nothing about the work done before them. */
const passing = new Set<string>([
  'internal',
  'unavailable',
  'timeout',
  'rate_limited',
  'insufficient_storage',
]);

/** A lasting failure as an answer, for example the failure of the task that the call began. */
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
