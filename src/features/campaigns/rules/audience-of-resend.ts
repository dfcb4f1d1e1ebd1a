import type { Campaign, CampaignAudience } from '../contract.ts';

/**
 * Who is meant by a draft that sends a campaign again: whoever got it and did not open it, of those
 * whom it would still go to.
 */
export function audienceOfResend({ id, audience }: Pick<Campaign, 'id' | 'audience'>): CampaignAudience {
  const { exclude, leaveOutVerdicts } = audience;
  return { include: [{ notOpened: id }], exclude, ...(leaveOutVerdicts ? { leaveOutVerdicts } : {}) };
}
