import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { accuracyOfLabelledSet } from '#features/addresses/server/index.ts';
import type { MailOversight } from '#features/mail/server/index.ts';
import type { TaskOversight } from '#features/tasks/server/index.ts';
import { type Config, unusedSettings } from '#platform/server/config.ts';
import type { Database } from '#platform/server/database.ts';
import type { Figures } from '#platform/server/feature.ts';
import type { FileStore } from '#platform/server/files.ts';
import type { Jobs } from '#platform/server/jobs.ts';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { AdminStats, Performance, Subscriptions, SystemHealth } from '../contract.ts';
import { measuredDays, percentOf, processingFigures, subscriptionFigures, targets } from '../rules.ts';
import { selectDatabaseHealth, selectDatabaseSize, selectTimes } from './queries.ts';
import type { Uptime } from './uptime.ts';
import { selectUserFigures } from './user-queries.ts';
import { planCounts } from './users.ts';

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

/** The sum of one figure over all features that count it. */
const counts = <F extends keyof Figures>(figures: readonly Figures[], name: F) =>
  figures.flatMap((one) => one[name] ?? []) as NonNullable<Figures[F]>[];

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

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

export async function subscriptionsNow({ db, planPrices }: AdminOptions): Promise<Subscriptions> {
  const { monthStart } = await selectTimes(db.system, measuredDays);
  const plans = await planCounts(db.system, monthStart);
  return subscriptionFigures(plans.map((plan) => ({ ...plan, monthlyPrice: planPrices[plan.planId] ?? 0 })));
}

export async function performanceNow({ db, figures, uptime }: AdminOptions): Promise<Performance> {
  const times = await selectTimes(db.system, measuredDays);
  const { addresses, right } = accuracyOfLabelledSet();
  const [speeds, up] = await Promise.all([
    Promise.all(counts(figures, 'imports').map((count) => count(db.system, times))),
    uptime.figures(measuredDays),
  ]);
  const speed = {
    imports: sum(speeds.map(({ imports }) => imports)),
    rows: sum(speeds.map(({ rows }) => rows)),
    seconds: sum(speeds.map(({ seconds }) => seconds)),
  };
  return {
    accuracy: { target: targets.accuracy, measured: percentOf(right, addresses), addresses, right },
    processing: { targetSeconds: targets.processingSeconds, ...processingFigures(speed) },
    uptime: { target: targets.uptime, ...up },
  };
}

export async function systemHealth({ db, config, uptime }: AdminOptions): Promise<SystemHealth> {
  const asked = performance.now();
  const database = await selectDatabaseHealth(db.system);
  const answeredInMs = Math.round((performance.now() - asked) * 10) / 10;
  const [disk, processes] = await Promise.all([statfs(config.dataDir), uptime.processes()]);
  return {
    version: packageJson.version,
    node: process.versions.node,
    role: config.role,
    startedAt: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    memory: { used: process.memoryUsage.rss(), total: memoryLimit() },
    database: { ...database, answeredInMs, embedded: config.databaseUrl === undefined },
    disk: { path: config.dataDir, free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize },
    processes: processes.map(({ upSince, ...one }) => ({
      ...one,
      upSince: upSince.toISOString(),
      isThis: one.process === uptime.process,
    })),
    mailServer: config.smtpUrl !== undefined,
    signups: config.signups,
    unusedSettings: unusedSettings(config),
  };
}

/**
 * Bytes of memory of the machine or container this runs in. A container without a limit reports a
 * number beyond any machine.
 */
const memoryLimit = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
