import { only } from '#features/audit/rules.ts';
import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const adminWords: FeatureWords = {
  audit: { details: { byAdministrator: { order: 222, say: only('by an administrator') } } },
};
