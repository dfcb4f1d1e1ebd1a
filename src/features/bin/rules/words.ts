import { counted, numbered } from '#features/audit/rules.ts';
import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const binWords: FeatureWords = {
  audit: {
    details: {
      restored: { order: 104, say: counted('brought back', { always: true }) },
      removalId: { order: 300, say: numbered('removal') },
    },
  },
};
