import { contactsTopic } from '#features/contacts/web/index.ts';
import { type GroupCalls, pickerOf, useGroupContacts } from '#features/memberships/web/index.ts';
import { call } from '#platform/web/api.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import { createTag, getTag, getTags, tagContacts, untagContacts } from '../contract.ts';
import { tagsWords } from '../rules/words.ts';

export { TagsCard } from './deferred.tsx';

const calls: GroupCalls = {
  noun: 'tag',
  all: getTags,
  create: (name) => call(createTag, { body: { name } }),
  add: tagContacts,
  remove: untagContacts,
};

/** Gives many contacts a tag, or takes it away. `onBegun` is called once that is on its way. */
export const useTagContacts = (onBegun: () => void) => useGroupContacts(calls, onBegun);

/** A field of a form: chooses tags, or makes some. */
export const TagPicker = pickerOf(calls);

export const tagsFeature: WebFeature = {
  words: tagsWords,
  pages: [],
  changesWith: { [contactsTopic]: [getTags, getTag] },
};
