import type { GroupCalls } from '#features/memberships/web/index.ts';
import { call } from '#platform/web/api.ts';
import { createTag, getTags, tagContacts, untagContacts } from '../contract.ts';

export const tagCalls: GroupCalls = {
  noun: 'tag',
  all: getTags,
  create: (name) => call(createTag, { body: { name } }),
  add: tagContacts,
  remove: untagContacts,
};
