import { mailPort } from '#features/mail/server/index.ts';
import { tasksPort } from '#features/tasks/server/index.ts';
import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { adminWords } from '../rules/words.ts';
import type { AdminOptions } from './admin-options.ts';
import { registerAdmin } from './routes.ts';
import { createUptime } from './uptime.ts';

/** The administrator's screen: figures of the installation, its people, its work and its health. */
export const adminFeature: ServerFeature = {
  name: 'admin',
  contract,
  words: adminWords,
  create,
};

function create({ db, config, log, files, jobs, use }: FeatureContext): FeatureParts {
  const uptime = createUptime({ db: db.system, log, role: config.role });
  const counted: Pick<AdminOptions, 'figures' | 'planPrices'> = { figures: [], planPrices: {} };
  return {
    gather(all) {
      counted.figures = all.flatMap(({ figures }) => figures ?? []);
      counted.planPrices = Object.assign({}, ...all.map(({ planPrices }) => planPrices));
    },
    routes: (router) =>
      registerAdmin(router, {
        db,
        config,
        tasks: use(tasksPort).oversight,
        mail: use(mailPort).oversight,
        files,
        jobs,
        uptime,
        ...counted,
      }),
    start: () => uptime.start(),
    stop: () => uptime.stop(),
  };
}
