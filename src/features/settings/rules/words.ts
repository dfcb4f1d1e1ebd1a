import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const settingsWords: FeatureWords = {
  scopes: { 'settings:read': { order: 80, words: 'Read settings' } },
  audit: {
    areas: { settings: { order: 70, label: 'Settings' } },
    kinds: { settings: ['settings'] },
  },
};
