import type { SkipReason } from '#features/sending/rules/mailing.ts';
import { formatNumber } from '#platform/web/format.ts';
import type { Campaign, CampaignRecipient } from '../contract.ts';
import { type CampaignTemplate, type RecipientAct, writtenTemplates } from '../rules/campaign.ts';

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

/** What became of a message, and what its reader did. */
export const actLabels: Record<RecipientAct, string> = {
  got: 'Got it',
  opened: 'Opened',
  clicked: 'Clicked',
  bounced: 'Bounced',
  complained: 'Complained',
  left: 'Unsubscribed',
};

/** Why people of an audience are left out, in the order in which it is told. */
export const skipWords: readonly { key: SkipReason; label: string }[] = [
  { key: 'suppressed', label: 'On the suppression list' },
  { key: 'invalid', label: 'Invalid address' },
  { key: 'duplicate', label: 'Same address as another contact' },
  { key: 'paused', label: 'Takes a break from emails' },
  { key: 'left_list', label: 'Left the list meanwhile' },
  { key: 'no_basis', label: 'Marketing basis that you do not mail' },
  { key: 'mailed_lately', label: 'Mailed a short time ago' },
  { key: 'over_cap', label: 'As many campaigns as you allow' },
  { key: 'moved', label: 'Address was changed' },
  { key: 'removed', label: 'Contact was removed' },
  { key: 'unwritable', label: 'No mail server can be given the address' },
  { key: 'cancelled', label: 'Cancelled' },
];

/** “5,000 = 4,871 sent + 120 failed + 9 skipped”: what became of all recipients. */
export function booksInWords(campaign: Campaign): string {
  const parts = (['sent', 'failed', 'skipped', 'uncertain', 'pending'] as const)
    .filter((name) => campaign[name] > 0 || name === 'sent')
    .map((name) => `${formatNumber(campaign[name])} ${name}`);
  return `${formatNumber(campaign.totalRecipients)} = ${parts.join(' + ')}`;
}
