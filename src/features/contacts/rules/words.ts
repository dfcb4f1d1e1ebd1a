import { counted, only } from '#features/audit/rules.ts';
import type { FeatureWords, Said } from '#platform/shared/feature-words.ts';
import { fieldsInWords } from './contact-change.ts';

/** A line with `lifted` is about entries on the suppression list. */
const named: Said = (value, details, plain) =>
  counted(details.lifted === undefined ? 'contacts named one by one' : 'entries named one by one', {
    one: details.lifted === undefined ? 'contact named by itself' : 'entry named by itself',
  })(value, {}, plain);
const filter: Said = (value, _details, plain) => {
  const words = plain(value);
  return words === '' ? 'all, without a filter' : `filter: ${words}`;
};
/** Whom the work was for: named contacts, a filter, or (null) everybody. */
const selection: Said = (value, details, plain) => {
  const { ids, filter: chosen } = (value ?? {}) as Record<string, unknown>;
  if (Array.isArray(ids)) return named(ids.length, details, plain);
  return chosen === undefined ? `selection: ${plain(value)}` : filter(chosen, details, plain);
};

/** The fields that a change of a contact touched. */
const fields: Said = (value, _details, plain) =>
  Array.isArray(value) ? fieldsInWords(value.map(String)) : plain(value);

export const contactsWords: FeatureWords = {
  scopes: {
    'contacts:read': { order: 10, words: 'Read and search contacts, figures and exports' },
    'contacts:write': { order: 20, words: 'Add, change, remove and clean contacts' },
  },
  audit: {
    areas: { contacts: { order: 40, label: 'Contacts' } },
    kinds: { contacts: ['contact', 'contacts'] },
    details: {
      duplicates: { order: 116, say: counted('duplicate') },
      invalid: { order: 118, say: counted('invalid') },
      nonUk: { order: 120, say: counted('non-UK') },
      fields: { order: 202, say: fields },
      named: { order: 210, say: named },
      filter: { order: 212, say: filter },
      selection: { order: 214, say: selection },
      checkSuppressions: {
        order: 216,
        say: only('whatever the suppression list says', false),
      },
    },
  },
};
