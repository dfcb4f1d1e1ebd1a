import { numbered, only } from '#features/audit/rules.ts';
import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const campaignsWords: FeatureWords = {
  scopes: {
    'campaigns:read': {
      order: 66,
      words: 'Read campaigns and their figures; with contacts:read, also who got them',
    },
    'campaigns:write': { order: 68, words: 'Write, change and delete campaigns' },
    'campaigns:send': {
      order: 70,
      words:
        'Send, schedule, pause and cancel campaigns; with campaigns:read and contacts:read, also read kept messages',
    },
  },
  audit: {
    areas: { campaigns: { order: 66, label: 'Campaigns' } },
    kinds: { campaigns: ['campaign'] },
    actions: {
      'campaign.brought_back': 'Campaign restored',
      'campaign.test_sent': 'Test of a campaign sent',
      'campaign.winner_chosen': 'A/B test of a campaign decided',
      'campaign.unarchived': 'Campaign taken out of the archive',
      'campaign.unscheduled': 'Schedule of a campaign taken back',
    },
    details: {
      copyOfCampaign: { order: 313, say: numbered('copy of campaign') },
      resendOfCampaign: { order: 314, say: numbered('to those who did not open campaign') },
      sendAt: { order: 228 },
      byRecipientZone: { order: 229, say: only('by the clocks of its recipients') },
      variant: { order: 231 },
      messages: { order: 233 },
    },
  },
};
