import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const mailWords: FeatureWords = {
  audit: {
    kinds: { people: ['mail'] },
    actions: { 'mail.sent_again': 'Mail sent again' },
  },
};
