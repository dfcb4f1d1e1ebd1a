import type { FastifyReply } from 'fastify';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../../contract.ts';
import type { CampaignsContext } from '../context.ts';
import { exportBreakdown } from './export-breakdown.ts';
import { exportRecipients } from './export-recipients.ts';
import { listRecipients } from './list-recipients.ts';
import { showBreakdown } from './show-breakdown.ts';
import { showPicture } from './show-picture.ts';
import { showReport } from './show-report.ts';
import { streamCampaign } from './stream-campaign.ts';

/** What became of a campaign, and of each of its recipients. */
export function registerReport(router: Router, context: CampaignsContext): void {
  const { db } = context;
  router.handle(contract.followCampaign, (call) => streamCampaign(context, call));
  router.handle(contract.getReport, ({ workspaceId, params: { id } }) =>
    db.asTenant(workspaceId, (tx) => showReport(context, tx, workspaceId, id)),
  );
  router.handle(contract.getBreakdown, ({ workspaceId, params: { id } }) =>
    showBreakdown(context, workspaceId, id),
  );
  router.handle(contract.exportBreakdown, async ({ workspaceId, params: { id }, query: { what }, reply }) =>
    asFile(reply, `campaign-${id}-${what}`).send(await exportBreakdown(context, workspaceId, id, what)),
  );
  router.handle(contract.getPicture, ({ workspaceId, params: { id }, query: { variant } }) =>
    db.asTenant(workspaceId, (tx) => showPicture(context, tx, workspaceId, { id, variant })),
  );
  router.handle(contract.exportRecipients, async ({ workspaceId, params: { id }, query, reply }) => {
    const { state = null, did = null, link = null, count } = query;
    const name = [`campaign-${id}`, state, did].filter((part) => part !== null);
    return asFile(reply, name.length > 1 ? name.join('-') : `campaign-${id}-recipients`).send(
      await exportRecipients(context, workspaceId, id, { state, did, link, count }),
    );
  });
  router.handle(contract.listRecipients, ({ workspaceId, params: { id }, query }) =>
    db.asTenant(workspaceId, (tx) => listRecipients(context, tx, workspaceId, id, query)),
  );
}

const asFile = (reply: FastifyReply, name: string): FastifyReply =>
  reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .header('cache-control', 'no-store');
