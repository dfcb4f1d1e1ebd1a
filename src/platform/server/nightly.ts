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
  log: Log;
}

/**
 * Does all nightly work in all workspaces. A failure is logged and does not stop the rest. At the
 * end all failures are thrown together, so that the job is retried.
 */
export async function runNightly(options: NightlyOptions, signal?: AbortSignal): Promise<void> {
  const { works, workspaces, log } = options;
  const failures: unknown[] = [];
  for (const workspaceId of await workspaces()) {
    for (const { name, run } of works) {
      signal?.throwIfAborted();
      try {
        await run(workspaceId, signal);
      } catch (error) {
        // The job was cancelled, so this is not a failure of the workspace.
        signal?.throwIfAborted();
        log.error({ err: error, workspaceId, work: name }, 'Nightly work failed in a workspace');
        failures.push(error);
      }
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `Nightly work failed ${failures.length} times; see the log.`);
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
