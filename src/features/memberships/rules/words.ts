import { numbered } from '#features/audit/rules.ts';
import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const membershipsWords: FeatureWords = {
  audit: {
    areas: { lists: { order: 45, label: 'Lists and tags' } },
    details: {
      leftTopics: { order: 135, say: (value, _, plain) => `${plain(value)} had left it themselves` },
      membershipChangeId: { order: 310, say: numbered('change') },
    },
  },
};
