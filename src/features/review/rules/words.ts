import { counted, numbered } from '#features/audit/rules.ts';
import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const reviewWords: FeatureWords = {
  audit: {
    kinds: { contacts: ['corrections', 'duplicates'] },
    details: {
      kept: { order: 8 },
      merged: { order: 10 },
      corrected: { order: 110, say: counted('corrected', { always: true }) },
      patterns: { order: 111, say: counted('patterns') },
      dismissed: { order: 112, say: counted('dismissed', { always: true }) },
      mergeId: { order: 304, say: numbered('merge') },
    },
  },
};
