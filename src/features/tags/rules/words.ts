import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const tagsWords: FeatureWords = {
  audit: {
    kinds: { lists: ['tag'] },
    actions: {
      'tag.contacts_added': 'Contacts tagged',
      'tag.contacts_removed': 'Tag taken off contacts',
      'tag.contacts_put_back': 'Tagging of contacts undone',
    },
  },
};
