import { AppError } from '#platform/shared/errors.ts';
import type { WrittenCampaign } from '../queries.ts';

/** Throws `invalid_input` for a test that nothing could decide. */
export function refuseUndecidable({
  abTest,
  trackOpens,
  trackClicks,
}: Pick<WrittenCampaign, 'abTest' | 'trackOpens' | 'trackClicks'>): void {
  if (!abTest) return;
  const isCounted = { clicks: trackClicks, opens: trackOpens, hand: true }[abTest.decideBy];
  if (isCounted) return;
  const message = `The test is decided by ${abTest.decideBy}, and this campaign does not count them. Count them, or decide by hand.`;
  throw new AppError('invalid_input', message, { fields: { abTest: message } });
}
