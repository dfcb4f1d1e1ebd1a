import type { ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { readPace, setPace } from './settings.ts';

export type { FrequencyCap } from '../contract.ts';
export { foretell, ownMailRatePort } from './foretell.ts';
export { readCap } from './queries.ts';
export { readPace } from './settings.ts';
export { giveBack, limitedReceivers, takeMessages, takePlaces } from './take.ts';

export const paceFeature: ServerFeature = {
  name: 'pace',
  contract,
  create: ({ db }) => ({
    routes(router) {
      router.handle(contract.getPace, ({ workspaceId }) =>
        db.asTenant(workspaceId, (tx) => readPace(tx, workspaceId)),
      );
      router.handle(contract.changePace, ({ workspaceId, caller, body }) =>
        db.asTenant(workspaceId, (tx) => setPace(tx, workspaceId, caller.email, body)),
      );
    },
  }),
};
