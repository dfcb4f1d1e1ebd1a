import { z } from 'zod';
import { mostGroups } from '#features/audience/contract.ts';
import type { ConditionRule } from '#features/audience/rules/tree.ts';
import { type Test, testInWords, testSchema } from '#features/segments/rules/test.ts';

/** What can be asked about the campaigns that a contact was sent. */

export const campaignActs = ['sent', 'opened', 'clicked'] as const;
export type CampaignAct = (typeof campaignActs)[number];

const ids = z
  .array(z.number().int().positive().max(Number.MAX_SAFE_INTEGER))
  .max(mostGroups)
  .transform((given) => [...new Set(given)]);

const verbs: Record<CampaignAct, string> = {
  sent: 'it was sent',
  opened: 'somebody opened',
  clicked: 'somebody clicked in',
};

/** One of these campaigns. None named: any at all. */
export const campaignRule = (act: CampaignAct): ConditionRule<number[]> => ({
  key: `${act}Campaign`,
  schema: ids,
  bound: 'nothing',
  words: (campaigns) =>
    campaigns.length === 0
      ? `${verbs[act]} any campaign`
      : `${verbs[act]} campaign ${campaigns.join(' or ')}`,
});

/** The day on which a contact last did so for the first time in a campaign. */
export const lastActRule = (act: 'opened' | 'clicked'): ConditionRule<Test> => ({
  key: act === 'opened' ? 'lastOpened' : 'lastClicked',
  schema: testSchema,
  bound: 'nothing',
  words: (test) => `the last ${act === 'opened' ? 'open' : 'click'} ${testInWords(test)}`,
});
