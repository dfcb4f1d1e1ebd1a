import { answersCall } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../../contract.ts';
import { type CampaignsContext, doerOf } from '../context.ts';
import { chooseWinner, showTest } from './variants.ts';

/** The calls of A/B tests. */
export function registerTests(router: Router, context: CampaignsContext): void {
  const { db, sending } = context;
  router.handle(contract.getTest, ({ workspaceId, params: { id } }) =>
    db.asTenant(workspaceId, async (tx) => ({ test: await showTest(context, tx, workspaceId, id) })),
  );
  router.handle(contract.chooseWinner, async ({ workspaceId, caller, params: { id }, body: { variant } }) => {
    const doer = doerOf(workspaceId, caller);
    const campaign = await db.asTenant(
      workspaceId,
      (tx) => chooseWinner(context, tx, doer, id, variant),
      answersCall,
    );
    sending.wake();
    return campaign;
  });
}
