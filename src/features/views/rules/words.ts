import { either } from '#features/audit/rules.ts';
import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const viewsWords: FeatureWords = {
  audit: {
    kinds: { contacts: ['view'] },
    details: { shared: { order: 220, say: either('shared', 'private') } },
  },
};
