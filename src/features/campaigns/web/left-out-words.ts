import { basisLabels } from '#features/basis/web/index.ts';
import type { SkipReason } from '#features/sending/rules/mailing.ts';
import type { SuppressionReason } from '#features/suppressions/contract.ts';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import type { CampaignAudience, CampaignCheck } from '../contract.ts';

type Because = CampaignCheck['leftOutBecause'];

const suppressionWords: Readonly<Record<SuppressionReason, string>> = {
  manual: 'by hand',
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
  complained: 'complained',
  erased: 'erased',
  imported: 'from an imported list',
};

/** Why contacts of an audience are left out, in a few words for each reason. */
export function leftOutHints(
  { suppressed, mailable, frequencyCap }: Because,
  { notMailedDays }: CampaignAudience,
): Partial<Record<SkipReason, string>> {
  return {
    ...(suppressed ? { suppressed: suppressedInWords(suppressed) } : {}),
    invalid: 'No address that can be mailed',
    duplicate: 'Counted once',
    paused: 'Asked for a break',
    no_basis:
      mailable.length === 0
        ? 'You mail nobody by their basis'
        : `You mail ${mailable.map((basis) => basisLabels[basis].toLowerCase()).join(', ')}`,
    ...(notMailedDays
      ? {
          mailed_lately: `Had a campaign in the last ${notMailedDays === 1 ? 'day' : formatCount(notMailedDays, 'day')}`,
        }
      : {}),
    ...(frequencyCap
      ? {
          over_cap: `Your limit is ${formatCount(frequencyCap.messages, 'campaign')} in ${formatCount(frequencyCap.days, 'day')}`,
        }
      : {}),
  };
}

/** “603 unsubscribed, 188 bounced”, the most frequent first. */
function suppressedInWords({ reasons, domains, isEstimate }: NonNullable<Because['suppressed']>): string {
  const parts = [
    ...Object.entries(reasons).map(([reason, contacts]) => ({
      ...{ contacts, words: suppressionWords[reason as SuppressionReason] },
    })),
    { contacts: domains, words: 'by their domain' },
  ];
  const told = parts
    .filter(({ contacts }) => contacts > 0)
    .sort((one, other) => other.contacts - one.contacts)
    .map(({ contacts, words }) => `${formatNumber(contacts)} ${words}`)
    .join(', ');
  return isEstimate ? `About ${told}` : told;
}
