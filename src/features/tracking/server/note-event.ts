import type { FastifyRequest } from 'fastify';
import type { SendReference } from '#features/messages/server/index.ts';
import { withContext } from '#platform/server/call-context.ts';
import { type Database, tenantStatement } from '#platform/server/database.ts';
import { judgeAgent } from '../rules/agents.ts';
import type { TrackingContext } from './context.ts';
import { eventStatements, type NewEvent } from './queries.ts';
import type { TrackedSends } from './sends-port.ts';

/**
 * Writes an open or a click down, and answers once it is safe. One that cannot be written is lost:
 * a reader who follows a link comes before our figures.
 */
export async function noteEvent(
  { events, log }: TrackingContext,
  { headers, method }: FastifyRequest,
  { workspaceId, mailingId, sendId, part }: SendReference,
  kind: 'open' | 'click',
): Promise<void> {
  const judged = judgeAgent({
    userAgent: headers['user-agent'] ?? '',
    isHead: method === 'HEAD',
    // The statement that counts it knows when the message was handed over.
    secondsAfter: null,
  });
  await events
    .add({
      ...{ workspaceId, mailingId, sendId, kind, link: kind === 'click' ? part : null },
      ...{ agent: judged.kind, device: judged.device, isHuman: judged.isHuman, at: Date.now() },
    })
    .catch((error: unknown) => log.warn({ err: error, kind }, 'what a reader did could not be counted'));
}

/** Writes events of several workspaces, each workspace's in one transaction. */
export async function writeEvents(
  db: Database,
  sends: TrackedSends | undefined,
  events: readonly (NewEvent & { workspaceId: number })[],
): Promise<null[]> {
  const failures: unknown[] = [];
  if (sends)
    for (const [workspaceId, own] of Map.groupBy(events, (event) => event.workspaceId))
      await withContext({ purpose: 'public', workspaceId }, () =>
        writeTogether(db, workspaceId, eventStatements(workspaceId, sends.all, own)),
      ).catch((error: unknown) => failures.push(error));
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
  statements: ReturnType<typeof eventStatements>,
): Promise<void> {
  const texts = statements.map((statement) => statement.compile(db.system).sql);
  const client = await db.lender.connect();
  try {
    await client.query([tenantStatement(workspaceId), ...texts].join(';\n'), []);
  } finally {
    client.release();
  }
}
