import type { Router } from '#platform/server/http.ts';
import type { Log } from '#platform/server/logging.ts';
import { registerAdmin } from './routes.ts';
import type { AdminOptions } from './service.ts';
import { createUptime } from './uptime.ts';

export type { AdminOptions } from './service.ts';

export interface Admin {
  register(router: Router): void;
  /** From now on, writes down that this process is up. */
  startWork(): void;
  stop(): Promise<void>;
}

/** The administrator's screen: figures of the whole installation, its people, its work and its health. */
export function createAdmin(options: Omit<AdminOptions, 'uptime'> & { log: Log }): Admin {
  const { db, config, log } = options;
  const uptime = createUptime({ db: db.system, log, role: config.role });
  return {
    register: (router) => registerAdmin(router, { ...options, uptime }),
    startWork: () => uptime.start(),
    stop: () => uptime.stop(),
  };
}
