import type { Bin } from '#features/bin/server/index.ts';
import type { Tasks } from '#features/tasks/server/index.ts';
import type { StartLimits } from '#platform/server/start-limits.ts';
import type { ImportRunner, RunnerOptions } from './runner.ts';

export interface ImportsOptions extends RunnerOptions {
  tasks: Tasks;
  bin: Bin;
  /** How many imports may start and run at once; the usual limits when absent. */
  limits?: StartLimits;
}

/** What this feature's calls need. */
export interface ImportsContext extends ImportsOptions {
  runner: ImportRunner;
}
