import { sql } from 'kysely';
import type { SystemDb } from './database.ts';
import { each, eachWorkspace } from './each-workspace.ts';
import type { JobContext, JobDefinition } from './jobs.ts';
import type { Log } from './logging.ts';
import { port } from './ports.ts';

/** What a feature does every night in each workspace, such as deleting what has expired. */
export interface NightlyWork {
  /** The feature and its action: `contacts.empty-bin`. */
  name: string;
  /** It may run again for the same night, so repeating it must not change the outcome. */
  run(workspaceId: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The ids of all workspaces. The feature that owns workspaces offers it. */
export const workspacesPort = port<() => Promise<number[]>>('platform.workspaces');

export interface NightlyOptions {
  works: readonly NightlyWork[];
  workspaces: () => Promise<number[]>;
  /** Remembers how far the work has come. */
  db: SystemDb;
  log: Log;
}

/**
 * Does all nightly work in all workspaces. It begins after the workspace that it reached last:
 * where a night is too short for all of them, the others come first in the next. A failure is
 * logged and does not stop the rest. At the end all failures are thrown together, so that the job
 * is retried.
 */
export async function runNightly(options: NightlyOptions, signal?: AbortSignal): Promise<void> {
  const { works, workspaces, db, log } = options;
  const inTurn = async () => startingAfter(await selectReached(db), await workspaces());
  const failures: unknown[] = [];
  const failed = 'Nightly work failed in a workspace';
  const inWorkspace = async (workspaceId: number) => {
    await storeReached(db, workspaceId);
    const about = ({ name }: NightlyWork) => ({ workspaceId, work: name });
    const run = (work: NightlyWork) => work.run(workspaceId, signal);
    failures.push(...(await each(works, { failed, log, signal, about }, run)));
  };
  failures.push(...(await eachWorkspace(inTurn, { failed, log, signal }, inWorkspace)));
  if (failures.length > 0)
    throw new AggregateError(failures, `Nightly work failed ${failures.length} times; see the log.`);
}

/** The ids in their order, beginning with the first one after `reached`. */
function startingAfter(reached: number, ids: readonly number[]): number[] {
  const ordered = ids.toSorted((a, b) => a - b);
  return [...ordered.filter((id) => id > reached), ...ordered.filter((id) => id <= reached)];
}

async function selectReached(db: SystemDb): Promise<number> {
  const { rows } = await sql<{ reached: number }>`select reached from nightly_place`.execute(db);
  return rows[0]?.reached ?? 0;
}

async function storeReached(db: SystemDb, workspaceId: number): Promise<void> {
  await sql`
    insert into nightly_place (reached) values (${workspaceId})
    on conflict (id) do update set reached = excluded.reached`.execute(db);
}

/** The one job that goes through all workspaces. */
export function nightlyJob(options: Omit<NightlyOptions, 'log'>): JobDefinition {
  return {
    name: 'workspaces.nightly',
    schedule: '17 3 * * *',
    timeoutSeconds: 2 * 3600,
    handler: (_data, { signal, log }: JobContext) => runNightly({ ...options, log }, signal),
  };
}
