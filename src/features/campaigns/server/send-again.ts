import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Campaign } from '../contract.ts';
import type { CampaignsContext, Doer } from './context.ts';
import { needCampaign, showCampaign } from './show-campaign.ts';
import { note } from './write-campaign.ts';

/** Sends an uncertain message again, because somebody has decided so. */
export async function sendAgain(
  { sending }: CampaignsContext,
  tx: TenantTx,
  doer: Doer,
  id: number,
  recipient: number,
): Promise<Campaign> {
  const { workspaceId } = doer;
  const { mailingId, name } = await needCampaign(tx, workspaceId, id);
  if (mailingId === null || !(await sending.sendAgain(tx, workspaceId, mailingId, recipient)))
    throw new AppError('conflict', 'Only a message whose answer was never seen can be sent again.');
  await note(tx, doer, 'message_sent_again', id, { name });
  return showCampaign(tx, sending, workspaceId, id);
}
