import type { TenantTx } from '#platform/server/database.ts';
import type { ServerFeature } from '#platform/server/feature.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import { readPace, setPace } from './settings.ts';

export type { FrequencyCap } from '../contract.ts';
export { foretell, ownMailRatePort } from './foretell.ts';
export { readCap } from './queries.ts';
export { readPace } from './settings.ts';
export { giveBack, limitedReceivers, takeMessages, takePlaces, waitNow } from './take.ts';

/** What waits for the pace of a workspace. */
export interface PacedWork {
  /** Lets it be tried at once, when the transaction commits. */
  endWaits(tx: TenantTx, workspaceId: number): Promise<void>;
  /** Looks for work. Call it once that is committed. */
  wake(): void;
}

export const pacedWorkPort = port<PacedWork>('pace.paced-work');

export const paceFeature: ServerFeature = {
  name: 'pace',
  contract,
  create: ({ db, find }) => ({
    routes(router) {
      router.handle(contract.getPace, ({ workspaceId }) =>
        db.asTenant(workspaceId, (tx) => readPace(tx, workspaceId)),
      );
      router.handle(contract.changePace, async ({ workspaceId, caller, body }) => {
        const work = find(pacedWorkPort);
        const pace = await db.asTenant(workspaceId, (tx) =>
          setPace(tx, workspaceId, caller.email, body, async () => work?.endWaits(tx, workspaceId)),
        );
        work?.wake();
        return pace;
      });
    },
  }),
};
