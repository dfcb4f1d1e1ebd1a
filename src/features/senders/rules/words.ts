import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const sendersWords: FeatureWords = {
  scopes: {
    'senders:read': { order: 82, words: 'Read sender domains, their DNS records and sender addresses' },
    'senders:write': { order: 84, words: 'Add, check and remove sender domains; change sender addresses' },
  },
  audit: {
    kinds: { settings: ['sender_domain', 'sender_address'] },
    actions: {
      'sender_domain.key_made': 'New DKIM key of a sender domain made',
      'sender_domain.key_taken': 'New DKIM key of a sender domain signs',
    },
    details: { selector: { order: 230 } },
  },
};
