import { answersCall, type TenantTx } from '#platform/server/database.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { registerTests } from './ab-test/routes.ts';
import { countAudience } from './audience/count-audience.ts';
import { checkCampaign } from './check/check-campaign.ts';
import { checkLinks } from './check/link-check.ts';
import { type CampaignsContext, doerOf } from './context.ts';
import { listCampaigns } from './list-campaigns.ts';
import { registerReport } from './report/routes.ts';
import { resendCampaign } from './resend.ts';
import { sendAgain } from './send-again.ts';
import { sendCampaign } from './send-campaign.ts';
import { showCampaign } from './show-campaign.ts';
import {
  archiveCampaign,
  cancelCampaign,
  deleteCampaign,
  pauseCampaign,
  restoreCampaign,
  resumeCampaign,
  scheduleCampaign,
} from './steps.ts';
import { testCampaign } from './test-campaign.ts';
import { changeCampaign, createCampaign, duplicateCampaign, madeOf } from './write-campaign.ts';

export function registerCampaigns(router: Router, context: CampaignsContext): void {
  const { db, sending } = context;
  registerTests(router, context);
  router.handle(contract.getCampaigns, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => listCampaigns(tx, sending, workspaceId, query)),
  );
  router.handle(contract.getCampaign, ({ workspaceId, params: { id } }) =>
    db.asTenant(workspaceId, (tx) => showCampaign(tx, sending, workspaceId, id)),
  );
  router.handle(contract.createCampaign, async ({ workspaceId, caller, body }) => {
    const made = await madeOf(context, workspaceId, body);
    return db.asTenant(
      workspaceId,
      (tx) => createCampaign(context, tx, doerOf(workspaceId, caller), made),
      answersCall,
    );
  });
  router.handle(contract.updateCampaign, async ({ workspaceId, caller, params: { id }, body }) => {
    const change = await madeOf(context, workspaceId, body);
    return db.asTenant(workspaceId, (tx) => changeCampaign(context, tx, { workspaceId, caller }, id, change));
  });
  router.handle(contract.deleteCampaign, ({ workspaceId, caller, params: { id } }) =>
    db.asTenant(workspaceId, (tx) => deleteCampaign(tx, doerOf(workspaceId, caller), id)),
  );
  router.handle(contract.scheduleCampaign, ({ workspaceId, caller, params: { id }, body }) =>
    db.asTenant(
      workspaceId,
      (tx) =>
        scheduleCampaign(context, tx, doerOf(workspaceId, caller), id, {
          ...{ ...body, sendAt: new Date(body.sendAt) },
        }),
      answersCall,
    ),
  );
  router.handle(contract.archiveCampaign, ({ workspaceId, caller, params: { id }, body }) =>
    db.asTenant(
      workspaceId,
      (tx) => archiveCampaign(context, tx, doerOf(workspaceId, caller), id, body),
      answersCall,
    ),
  );
  router.handle(contract.sendCampaign, async ({ workspaceId, caller, params: { id }, body }) => {
    const work = (tx: TenantTx) => sendCampaign(context, tx, doerOf(workspaceId, caller), id, body);
    const campaign = await db.asTenant(workspaceId, work, answersCall);
    sending.wake();
    return campaign;
  });
  for (const [endpoint, work] of [
    [contract.pauseCampaign, pauseCampaign],
    [contract.resumeCampaign, resumeCampaign],
    [contract.cancelCampaign, cancelCampaign],
    [contract.restoreCampaign, restoreCampaign],
    [contract.duplicateCampaign, duplicateCampaign],
  ] as const)
    router.handle(endpoint, async ({ workspaceId, caller, params: { id } }) => {
      const doer = doerOf(workspaceId, caller);
      const campaign = await db.asTenant(workspaceId, (tx) => work(context, tx, doer, id), answersCall);
      sending.wake();
      return campaign;
    });
  router.handle(contract.resendCampaign, ({ workspaceId, caller, params: { id }, body }) =>
    db.asTenant(
      workspaceId,
      (tx) => resendCampaign(context, tx, doerOf(workspaceId, caller), id, body),
      answersCall,
    ),
  );
  router.handle(contract.countAudience, ({ workspaceId, body }) =>
    db.asTenant(workspaceId, (tx) => countAudience(context, tx, workspaceId, body)),
  );
  router.handle(contract.checkCampaign, ({ workspaceId, params: { id } }) =>
    db.asTenant(workspaceId, (tx) => checkCampaign(context, tx, workspaceId, id)),
  );
  router.handle(contract.checkLinks, ({ workspaceId, params: { id } }) =>
    checkLinks(context, workspaceId, id),
  );
  registerSendingAgain(router, context);
  router.handle(contract.testCampaign, (call) => testCampaign(context, call));
  registerReport(router, context);
}

function registerSendingAgain(router: Router, context: CampaignsContext): void {
  const { db, sending } = context;
  const again = async (workspaceId: number, caller: Caller, id: number, recipient: number | 'all') => {
    const doer = doerOf(workspaceId, caller);
    const work = (tx: TenantTx) => sendAgain(context, tx, doer, id, recipient);
    const campaign = await db.asTenant(workspaceId, work, answersCall);
    sending.wake();
    return campaign;
  };
  router.handle(contract.sendAgain, ({ workspaceId, caller, params: { id, recipient } }) =>
    again(workspaceId, caller, id, recipient),
  );
  router.handle(contract.sendUncertainAgain, ({ workspaceId, caller, params: { id } }) =>
    again(workspaceId, caller, id, 'all'),
  );
}
