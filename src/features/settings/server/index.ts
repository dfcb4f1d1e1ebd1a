import { activityDaysPort } from '#features/activities/server/index.ts';
import type { ServerFeature } from '#platform/server/feature.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import { settingsWords } from '../rules/words.ts';
import { readSettings } from './read-settings.ts';
import { registerSettings } from './routes.ts';

export { readSettings } from './read-settings.ts';

/** The longest time an upload may take, in seconds. Nobody offers it: the usual time. */
export const longestUploadPort = port<number>('settings.longest-upload-seconds');

export const settingsFeature: ServerFeature = {
  name: 'settings',
  contract,
  words: settingsWords,
  create({ db, offer }) {
    offer(activityDaysPort, async (tx, workspaceId) => {
      const { retention } = await readSettings(tx, workspaceId);
      return retention.activityDays;
    });
    return { routes: (router) => registerSettings(router, db) };
  },
};
