import { counted, numbered } from '#features/audit/rules.ts';
import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const fieldChangesWords: FeatureWords = {
  audit: {
    actions: {
      'contacts.changed': 'Field of contacts set',
      'contacts.change_undone': 'Field of contacts put back',
    },
    details: {
      changed: { order: 110, say: counted('changed', { always: true }) },
      undone: { order: 112, say: counted('have their old values again', { always: true }) },
      fieldChangeId: { order: 308, say: numbered('field change') },
    },
  },
};
