import { only } from '#features/audit/rules.ts';
import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const verificationWords: FeatureWords = {
  scopes: { verify: { order: 70, words: 'Verify addresses' } },
  audit: {
    details: {
      verdicts: { order: 136 },
      dns: { order: 218, say: only('mail servers looked up') },
    },
  },
};
