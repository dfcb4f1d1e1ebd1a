import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { Batches } from '#platform/server/batches.ts';
import { inBackground, withContext } from '#platform/server/call-context.ts';
import { type Database, isLost, sqlState, tenantStatement } from '#platform/server/database.ts';
import { isBusy, limitWaitStatement, waitAtMost } from '#platform/server/locks.ts';
import { isPassing } from '#platform/server/work/stopped.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type AgentBook, namesStatement } from '../judging/agent-book.ts';
import { eventStatement, type NewEvent } from '../queries.ts';
import type { SendKey, TrackedSends } from '../sends-port.ts';

/**
 * Workspaces whose events are written at once, and those in which some are tried again. More would
 * take the connections of strangers (`pools.ts`) from those who read a page or leave.
 */
const lanes = { first: 2, again: 1 };
/**
 * How long a batch waits for each row that somebody holds. All other readers of the workspace wait
 * as long. It is less than PostgreSQL takes to see a deadlock.
 */
const lockMs = 300;
/** When what could not be written is tried again. After half a minute it is lost. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
/** The most events that wait in this process for any of this. More are lost. */
const mostInHand = 50_000;

interface Parts {
  db: Database;
  sends: () => TrackedSends | undefined;
  agents: AgentBook;
}

/**
 * Writes events down, those of one workspace together. Whoever is held by somebody else keeps no
 * other waiting: their events are kept and tried again by themselves.
 */
export class EventWriter {
  readonly #parts: Parts;
  readonly #batches: Batches<number, NewEvent, boolean>;
  readonly #again: Batches<number, NewEvent, boolean>;
  readonly #inHand = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
    const write = (workspaceId: number, events: NewEvent[]) =>
      inBackground(() =>
        withContext({ purpose: 'public', workspaceId }, () => writeFree(this.#parts, workspaceId, events)),
      );
    this.#batches = new Batches(write, { most: 1_000, lanes: lanes.first });
    this.#again = new Batches(write, { most: 1_000, lanes: lanes.again });
  }

  /** Answers once the event is safe. It may take half a minute while somebody holds the person. */
  async add(workspaceId: number, event: NewEvent): Promise<void> {
    if (this.#inHand.size >= mostInHand) throw notWritten('Too many events wait');
    const written = this.#write(workspaceId, event).finally(() => this.#inHand.delete(written));
    this.#inHand.add(written);
    await written;
  }

  async #write(workspaceId: number, event: NewEvent): Promise<void> {
    if (await this.#batches.add(workspaceId, event)) return;
    const { signal } = this.#stop;
    for (const pauseMs of pausesMs) {
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (await this.#again.add(workspaceId, event)) return;
      if (signal.aborted) break;
    }
    throw notWritten('Somebody else held what it changes for too long');
  }

  /** Writes what is in hand, and tries once more what waits for somebody. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#inHand);
  }
}

const notWritten = (why: string) => new AppError('unavailable', `${why}. The event was not counted.`);

/**
 * Writes the events of a workspace in one transaction. If somebody holds one of the people, the
 * events of the others. Returns which were written.
 */
async function writeFree(parts: Parts, workspaceId: number, events: readonly NewEvent[]): Promise<boolean[]> {
  const outcome = await tryToWrite(parts, workspaceId, events);
  if (outcome !== 'busy') return events.map(() => outcome === 'written');
  const held = await selectHeld(parts.db, workspaceId, events).catch((error) => {
    // Somebody has the whole table.
    if (isPassing(error)) return null;
    throw error;
  });
  const isFree = (event: NewEvent) => held !== null && !held.has(nameOf(event));
  const free = events.filter(isFree);
  const areSome = free.length > 0 && free.length < events.length;
  const isWritten = areSome && (await tryToWrite(parts, workspaceId, free)) === 'written';
  return events.map((event) => isWritten && isFree(event));
}

const nameOf = ({ mailingId, sendId }: SendKey) => `${mailingId}/${sendId}`;

/** The people of these events whom somebody holds at this moment. It waits for none of them. */
async function selectHeld(
  db: Database,
  workspaceId: number,
  events: readonly NewEvent[],
): Promise<Set<string>> {
  const mailingIds = events.map(({ mailingId }) => mailingId);
  const sendIds = events.map(({ sendId }) => sendId);
  const { rows } = await db.asTenant(workspaceId, (tx) =>
    waitAtMost(tx, lockMs, 'Readers are being counted', () =>
      sql<SendKey>`
        with own as (
          select * from unnest(${mailingIds}::bigint[], ${sendIds}::bigint[]) as own (mailing_id, send_id)
        ), free as materialized (
          select t.mailing_id, t.send_id from tracked_sends t join own using (mailing_id, send_id)
          where t.workspace_id = ${workspaceId} for no key update of t skip locked
        )
        select t.mailing_id as "mailingId", t.send_id as "sendId"
        from tracked_sends t join own using (mailing_id, send_id) where t.workspace_id = ${workspaceId}
        except select mailing_id, send_id from free`.execute(tx),
    ),
  );
  return new Set(rows.map(nameOf));
}

/** `busy`: somebody holds something of it. `later`: it was not written, and may be soon. */
async function tryToWrite(
  { db, sends, agents }: Parts,
  workspaceId: number,
  events: readonly NewEvent[],
): Promise<'written' | 'busy' | 'later'> {
  const all = sends()?.all;
  if (!all) return 'written';
  const hashes = events.map(({ agentHash }) => agentHash);
  const names = agents.unwritten(workspaceId, hashes);
  const statements = [
    ...(names.length > 0 ? [namesStatement(workspaceId, names)] : []),
    eventStatement(workspaceId, all, events),
  ];
  try {
    await writeTogether(db, workspaceId, statements);
  } catch (error) {
    if (isBusy(error)) return 'busy';
    // A connection that was lost may have written it, and nobody is counted twice.
    if (isCancelled(error) || (isPassing(error) && !isLost(error))) return 'later';
    throw error;
  }
  agents.wrote(workspaceId, names);
  return 'written';
}

/** It took longer than a statement of strangers may. */
const isCancelled = (error: unknown): boolean => sqlState(error) === '57014';

/**
 * Sends the statements of a workspace in one message, which PostgreSQL runs as one transaction.
 * While thousands call in a second, each journey to the database waits for its turn, and five of
 * them would take longer than the work.
 */
async function writeTogether(
  db: Database,
  workspaceId: number,
  statements: readonly RawBuilder<unknown>[],
): Promise<void> {
  const texts = statements.map((statement) => statement.compile(db.system).sql);
  const message = [tenantStatement(workspaceId), limitWaitStatement(lockMs), ...texts].join(';\n');
  const client = await db.lender.connect();
  try {
    await client.query(message, []);
  } finally {
    client.release();
  }
}
