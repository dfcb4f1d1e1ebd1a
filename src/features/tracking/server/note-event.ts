import type { FastifyRequest } from 'fastify';
import type { RawBuilder } from 'kysely';
import type { SendReference } from '#features/messages/server/index.ts';
import { withContext } from '#platform/server/call-context.ts';
import { type Database, sqlState, tenantStatement } from '#platform/server/database.ts';
import { isAskedAhead } from '../rules/agents.ts';
import type { TrackingContext } from './context.ts';
import { type AgentBook, namesStatement } from './judging/agent-book.ts';
import { eventStatement, type NewEvent } from './queries.ts';
import type { TrackedSends } from './sends-port.ts';

/**
 * Writes an open or a click down, and answers once it is safe. One that cannot be written is lost:
 * a reader who follows a link comes before our figures.
 */
export async function noteEvent(
  { events, agents, bursts, countries, log }: TrackingContext,
  { headers, method, ip }: FastifyRequest,
  { workspaceId, mailingId, sendId, part }: SendReference,
  kind: 'open' | 'click',
): Promise<void> {
  const at = Date.now();
  const isUnseen = method === 'HEAD' || isAskedAhead(headers);
  try {
    const judged = agents.judge(headers['user-agent'] ?? '', kind, isUnseen);
    // A proxy stands where its provider has put it, and not where the reader is.
    const country = judged.isHuman && judged.agent === 'person' ? await countries.of(ip) : null;
    const link = kind === 'click' ? part : null;
    await events.add({ workspaceId, mailingId, sendId, kind, link, ...judged, isUnseen, country, at });
    if (kind === 'click' && judged.isHuman) bursts.note({ workspaceId, mailingId, sendId, link: part, at });
  } catch (error) {
    log.warn({ err: error, kind }, 'what a reader did could not be counted');
  }
}

interface Writer {
  db: Database;
  sends: TrackedSends | undefined;
  agents: AgentBook;
}

/** Writes events of several workspaces, each workspace's in one transaction. */
export async function writeEvents(
  { db, sends, agents }: Writer,
  events: readonly (NewEvent & { workspaceId: number })[],
): Promise<null[]> {
  const failures: unknown[] = [];
  if (sends)
    for (const [workspaceId, own] of Map.groupBy(events, (event) => event.workspaceId)) {
      const names = agents.unwritten(
        workspaceId,
        own.map(({ agentHash }) => agentHash),
      );
      const statements = [
        ...(names.length > 0 ? [namesStatement(workspaceId, names)] : []),
        eventStatement(workspaceId, sends.all, own),
      ];
      await withContext({ purpose: 'public', workspaceId }, () => writeTogether(db, workspaceId, statements))
        .then(() => agents.wrote(workspaceId, names))
        .catch((error: unknown) => failures.push(error));
    }
  if (failures.length > 0) throw failures[0];
  return events.map(() => null);
}

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
  const message = [tenantStatement(workspaceId), ...texts].join(';\n');
  for (let tries = 1; ; tries++) {
    const client = await db.lender.connect();
    try {
      return void (await client.query(message, []));
    } catch (error) {
      // A deadlock, which PostgreSQL ended: nothing of it was written.
      if (sqlState(error) !== '40P01' || tries === mostTries) throw error;
    } finally {
      client.release();
    }
  }
}

const mostTries = 5;
