import { formatNumber } from '#platform/web/format.ts';
import type { Campaign, CampaignRecipient } from '../contract.ts';
import { type CampaignTemplate, writtenTemplates } from '../rules/campaign.ts';

export const templateLabels: Record<CampaignTemplate, string> = {
  simple: 'Simple',
  newsletter: 'Newsletter',
  promotional: 'Promotional',
  announcement: 'Announcement',
  custom: 'Its own',
};

export const templateOptions = writtenTemplates.map((value) => ({ value, label: templateLabels[value] }));

export const stateLabels: Record<CampaignRecipient['state'], string> = {
  pending: 'Waiting',
  sent: 'Sent',
  deferred: 'Tried again later',
  failed: 'Failed',
  skipped: 'Skipped',
  uncertain: 'Uncertain',
  left_out: 'Left out',
};

/** Whether something may still happen by itself. */
export const isMoving = ({ status, pending, endedAt }: Campaign): boolean =>
  status === 'sending' || (status === 'cancelled' && endedAt === null && pending > 0);

/** “5,000 = 4,871 sent + 120 failed + 9 skipped”: what became of all recipients. */
export function booksInWords(campaign: Campaign): string {
  const parts = (['sent', 'failed', 'skipped', 'uncertain', 'pending'] as const)
    .filter((name) => campaign[name] > 0 || name === 'sent')
    .map((name) => `${formatNumber(campaign[name])} ${name}`);
  return `${formatNumber(campaign.totalRecipients)} = ${parts.join(' + ')}`;
}
