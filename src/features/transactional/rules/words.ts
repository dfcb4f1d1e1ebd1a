import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const transactionalWords: FeatureWords = {
  scopes: {
    send: {
      order: 72,
      words: 'Send transactional messages; with campaigns:read and contacts:read, also read them',
    },
  },
};
