import { errorsWith } from '#platform/shared/errors.ts';

/** How a change of a campaign may fail, for programs. */
export const campaignCodes = { campaign_scheduled: 'conflict' } as const;

export const campaignError = errorsWith(campaignCodes);
