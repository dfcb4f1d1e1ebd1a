import { AppError } from '#platform/shared/errors.ts';
import type { CampaignRow } from './queries.ts';

/**
 * Throws `conflict` for a campaign that is to leave by the clocks of its recipients and at times of
 * its own as well.
 */
export function refuseTwoClocks({
  byRecipientZone,
  spreadHours,
  abTest,
}: Pick<CampaignRow, 'byRecipientZone' | 'spreadHours' | 'abTest'>): void {
  if (!byRecipientZone || (spreadHours === null && abTest === null)) return;
  const other = abTest === null ? 'leave over some hours' : 'have an A/B test';
  throw new AppError(
    'conflict',
    `A campaign that leaves by the clocks of its recipients cannot ${other}. Choose one of both.`,
  );
}
