import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const listsWords: FeatureWords = {
  audit: {
    kinds: { lists: ['list'] },
    actions: {
      'list.contacts_added': 'Contacts put on a list',
      'list.contacts_removed': 'Contacts taken off a list',
      'list.contacts_put_back': 'Change of a list undone',
    },
  },
};
