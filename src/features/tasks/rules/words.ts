import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const tasksWords: FeatureWords = {
  scopes: {
    'tasks:read': { order: 100, words: 'Follow long work' },
    'tasks:write': { order: 110, words: 'Cancel long work' },
  },
};
