import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const eventWords: FeatureWords = {
  scopes: {
    'events:read': {
      order: 92,
      words: 'Follow what happens to contacts, lists, campaigns and messages',
    },
  },
};
