import type { GroupCalls } from '#features/memberships/web/index.ts';
import { call } from '#platform/web/api.ts';
import { addToList, createList, getLists, removeFromList } from '../contract.ts';

export const listCalls: GroupCalls = {
  noun: 'list',
  all: getLists,
  create: (name) => call(createList, { body: { name } }),
  add: addToList,
  remove: removeFromList,
};
