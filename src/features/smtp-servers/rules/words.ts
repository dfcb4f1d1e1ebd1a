import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const smtpServersWords: FeatureWords = {
  audit: { kinds: { settings: ['smtp_server'] } },
};
