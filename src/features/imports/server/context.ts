import type { Bin } from '#features/bin/server/index.ts';
import type { addOne, refuseDeadDomain } from '#features/contacts/server/index.ts';
import type { Tasks } from '#features/tasks/server/index.ts';
import type { StartLimits } from '#platform/server/start-limits.ts';
import type { ImportRunner, RunnerOptions } from './runner.ts';

export interface ImportsOptions extends RunnerOptions {
  tasks: Tasks;
  bin: Bin;
  /** Judges contacts in the transaction that adds them. */
  judge: Parameters<typeof addOne>[3];
  whyDead: Parameters<typeof refuseDeadDomain>[3];
  /** How many imports may start and run at once; the usual limits when absent. */
  limits?: StartLimits;
  /** How many seconds a file may take to arrive at most; the usual time when absent. */
  longestUploadSeconds?: number | undefined;
}

/** What this feature's calls need. */
export interface ImportsContext extends ImportsOptions {
  runner: ImportRunner;
}
