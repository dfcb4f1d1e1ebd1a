import { contactsTopic } from '#features/contacts/web/index.ts';
import { groupContactsOf, pickerOf } from '#features/memberships/web/index.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import { tagsWords } from '../rules/words.ts';

export { TagsCard } from './deferred.tsx';

/** Fetched when they are made: their schemas are large. */
const load = async () => (await import('./tag-calls.ts')).tagCalls;

/** Gives many contacts a tag, or takes it away. `onBegun` is called once that is on its way. */
export const useTagContacts = groupContactsOf(load);

/** A field of a form: chooses tags, or makes some. */
export const TagPicker = pickerOf(load);

export const tagsFeature: WebFeature = {
  words: tagsWords,
  pages: [],
  changesWith: { [contactsTopic]: [{ path: '/api/tags' }, { path: '/api/tags/:id' }] },
};
