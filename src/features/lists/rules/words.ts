import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const listsWords: FeatureWords = {
  audit: {
    details: {
      isPublic: {
        order: 120,
        say: (value) => (value ? 'for readers to choose' : 'not for readers to choose'),
      },
    },
    kinds: { lists: ['list'] },
    actions: {
      'list.contacts_added': 'Contacts put on a list',
      'list.contacts_removed': 'Contacts taken off a list',
      'list.contacts_put_back': 'Change of a list undone',
    },
  },
};
