import { counted, numbered } from '#features/audit/rules.ts';
import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const suppressionsWords: FeatureWords = {
  scopes: {
    'suppressions:read': { order: 30, words: 'Read the suppression lists' },
    'suppressions:write': { order: 40, words: 'Suppress, and lift suppressions' },
  },
  audit: {
    areas: { suppressions: { order: 50, label: 'Suppressions' } },
    kinds: { suppressions: ['suppression', 'suppressions', 'domain_suppression'] },
    actions: {
      'suppression.added': 'Address suppressed',
      'suppression.changed': 'Reason of a suppression changed',
      'suppression.added_many': 'Addresses suppressed',
      'suppression.lifted': 'Suppression lifted',
      'domain_suppression.added': 'Domain suppressed',
    },
    details: {
      lifted: { order: 106, say: counted('taken off', { always: true }) },
      affected: {
        order: 114,
        say: counted('contacts affected', { one: 'contact affected', always: true }),
      },
      recognised: { order: 122, say: counted('recognised') },
      leftAsIs: { order: 128, say: counted('left as they are') },
      liftingId: { order: 306, say: numbered('lifting') },
    },
  },
};
