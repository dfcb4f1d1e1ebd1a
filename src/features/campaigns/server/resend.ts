import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type Campaign, longestCampaignName } from '../contract.ts';
import { audienceOfResend } from '../rules/audience-of-resend.ts';
import { variantRow } from './ab-test/variants.ts';
import type { CampaignsContext, Doer } from './context.ts';
import { needCampaign } from './show-campaign.ts';
import { addDraft } from './write-campaign.ts';

const mark = ' (again)';

/**
 * A draft for those who got a campaign and did not open it, with the same content and, as a rule,
 * another subject. Who that is counts when it is sent. Throws `conflict` for a campaign that was
 * not sent, or whose opens are not counted.
 */
export async function resendCampaign(
  context: CampaignsContext,
  tx: TenantTx,
  doer: Doer,
  id: number,
  { subject }: { subject?: string | undefined },
): Promise<Campaign> {
  const row = await needCampaign(tx, doer.workspaceId, id);
  if (row.mailingId === null) throw new AppError('conflict', 'This campaign was not sent yet.');
  if (!row.trackOpens)
    throw new AppError(
      'conflict',
      'The opens of this campaign are not counted, so nobody knows who opened it.',
    );
  const name = `${[...row.name].slice(0, longestCampaignName - mark.length).join('')}${mark}`;
  const sent = variantRow(row, await winnerOf(context, tx, doer.workspaceId, row.mailingId));
  const own = {
    name,
    subject: subject ?? sent.subject,
    audience: audienceOfResend(row),
    abTest: null,
    spreadHours: null,
  };
  return addDraft(context, tx, doer, { ...sent, ...own }, { resendOfCampaign: id });
}

/** The variant that most people got. */
async function winnerOf(
  { sending }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
): Promise<number> {
  const test = await sending.test(tx, workspaceId, mailingId);
  return test?.winner ?? 1;
}
