import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const imagesWords: FeatureWords = {
  scopes: {
    'images:read': { order: 66, words: 'Read images' },
    'images:write': { order: 68, words: 'Upload, change and delete images' },
  },
  audit: { kinds: { templates: ['image'] } },
};
