import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const apiKeysWords: FeatureWords = {
  audit: {
    areas: { keys: { order: 30, label: 'API keys' } },
    kinds: { keys: ['api_key'] },
    actions: {
      'api_key.created': 'API key made',
      'api_key.revoked': 'API key revoked',
      'api_key.taken_over': 'API key taken over',
    },
    details: { scopes: { order: 202 } },
  },
};
