import type { MailOversight } from '#features/mail/server/index.ts';
import type { TaskOversight } from '#features/tasks/server/index.ts';
import type { Config } from '#platform/server/config.ts';
import type { Database } from '#platform/server/database.ts';
import type { Figures } from '#platform/server/feature.ts';
import type { FileStore } from '#platform/server/files.ts';
import type { Jobs } from '#platform/server/jobs.ts';
import type { Uptime } from './uptime.ts';

/** What the administrator's screen works with. */
export interface AdminOptions {
  db: Database;
  config: Config;
  tasks: TaskOversight;
  mail: MailOversight;
  files: FileStore;
  /** What the features count. The same figure from several features is added up. */
  figures: readonly Figures[];
  /** Pounds a month for each plan. A plan that is not listed costs nothing. */
  planPrices: Readonly<Record<string, number>>;
  /** The job queue, once it is running. */
  jobs: () => Jobs | undefined;
  uptime: Uptime;
}
