import type { AdminStats } from '../contract.ts';
import { measuredDays } from '../rules.ts';
import type { AdminOptions } from './admin-options.ts';
import { counts, sum } from './feature-figures.ts';
import { selectDatabaseSize, selectTimes } from './queries.ts';
import { selectUserFigures } from './user-queries.ts';

/** The figures of the whole installation. */
export async function stats({ db, files, figures }: AdminOptions): Promise<AdminStats> {
  const system = db.system;
  const times = await selectTimes(system, measuredDays);
  const [people, emails, aiJobs, campaigns, database, kept] = await Promise.all([
    selectUserFigures(system, times.monthStart),
    Promise.all(counts(figures, 'emails').map((count) => count(system, times))),
    Promise.all(counts(figures, 'aiJobs').map((count) => count(system, times))),
    Promise.all(counts(figures, 'campaigns').map((count) => count(system, times))),
    selectDatabaseSize(system),
    files.size(),
  ]);
  return {
    totalUsers: people.users,
    newUsersThisMonth: people.newUsers,
    emailsProcessed: sum(emails.map(({ ever }) => ever)),
    emailsThisMonth: sum(emails.map(({ thisMonth }) => thisMonth)),
    aiJobsToday: sum(aiJobs),
    campaignsToday: sum(campaigns),
    storageUsed: database + kept,
    activeSessions: people.sessions,
    storage: { database, files: kept },
  };
}
