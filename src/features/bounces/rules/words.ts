import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const bouncesWords: FeatureWords = {
  audit: {
    kinds: { suppressions: ['bounce_mail'], settings: ['bounce_webhook'] },
    actions: { 'bounce_mail.read': 'Mail that came back read' },
    details: { meaning: { order: 232 } },
  },
};
