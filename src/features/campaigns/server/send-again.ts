import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Campaign } from '../contract.ts';
import type { CampaignsContext, Doer } from './context.ts';
import { needCampaign, showCampaign } from './show-campaign.ts';
import { note } from './write-campaign.ts';

/** Sends an uncertain message again, or all of them, because somebody has decided so. */
export async function sendAgain(
  { sending }: CampaignsContext,
  tx: TenantTx,
  doer: Doer,
  id: number,
  recipient: number | 'all',
): Promise<Campaign> {
  const { workspaceId } = doer;
  const { mailingId, name } = await needCampaign(tx, workspaceId, id, { lock: true });
  const messages = mailingId === null ? 0 : await sending.sendAgain(tx, workspaceId, mailingId, recipient);
  if (messages === 0)
    throw new AppError('conflict', 'Only a message whose answer was never seen can be sent again.');
  await note(tx, doer, 'message_sent_again', id, { name, ...(recipient === 'all' ? { messages } : {}) });
  return showCampaign(tx, sending, workspaceId, id);
}
