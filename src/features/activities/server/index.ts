import type { TenantTx } from '#platform/server/database.ts';
import type { ServerFeature } from '#platform/server/feature.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import { activitiesWords } from '../rules/words.ts';
import { deleteOldActivities } from './queries.ts';
import { registerActivities } from './routes.ts';

export { selectChoices } from './queries.ts';
export { type NewActivity, recordActivity } from './record-activity.ts';

/** How many days a workspace keeps its activities. */
export const activityDaysPort =
  port<(tx: TenantTx, workspaceId: number) => Promise<number>>('activities.kept-days');

export const activitiesFeature: ServerFeature = {
  name: 'activities',
  contract,
  words: activitiesWords,
  create({ db, use }) {
    const daysKept = use(activityDaysPort);
    return {
      routes: (router) => registerActivities(router, db),
      nightly: [
        {
          name: 'activities.forget',
          run: (workspaceId) =>
            db.asTenant(workspaceId, async (tx) =>
              deleteOldActivities(tx, workspaceId, await daysKept(tx, workspaceId)),
            ),
        },
      ],
    };
  },
};
