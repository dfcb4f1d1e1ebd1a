import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const activitiesWords: FeatureWords = {
  scopes: { 'activities:read': { order: 90, words: 'Read what happened lately' } },
};
