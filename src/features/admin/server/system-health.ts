import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { unusedSettings } from '#platform/server/config.ts';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { SystemHealth } from '../contract.ts';
import type { AdminOptions } from './admin-options.ts';
import { selectDatabaseHealth } from './queries.ts';

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
    sending: config.sending,
    unusedSettings: unusedSettings(config),
  };
}

/**
 * Bytes of memory of the machine or container this runs in. A container without a limit reports a
 * number beyond any machine.
 */
const memoryLimit = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
