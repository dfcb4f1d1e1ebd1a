import { IconListDetails, IconPlus, IconTag } from '@tabler/icons-react';
import { contactsTopic } from '#features/contacts/web/index.ts';
import { groupContactsOf, pickerOf } from '#features/memberships/web/index.ts';
import { call, queryKeyOf } from '#platform/web/api.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import { formatNumber } from '#platform/web/format.ts';
import type { List } from '../contract.ts';
import { listsWords } from '../rules/words.ts';
import { listsSearch } from './lists-search.ts';

const to = '/lists';
/** The calls themselves are fetched when they are made: their schemas are large. */
const [all, one] = [{ path: '/api/lists' }, { path: '/api/lists/:id' }];
const load = async () => (await import('./list-calls.ts')).listCalls;

/** Puts many contacts on a list, or takes them off. `onBegun` is called once that is on its way. */
export const useListContacts = groupContactsOf(load);

/** A field of a form: chooses a list, or makes one. */
export const ListPicker = pickerOf(load);

export const listsFeature: WebFeature = {
  words: listsWords,
  eventWords: () => import('./event-words.ts'),
  pages: [
    { path: to, access: 'signed-in', search: listsSearch, load: () => import('./lists-page.tsx') },
    { path: '/lists/$id', access: 'signed-in', load: () => import('./list-page.tsx') },
    { path: '/lists/$id/rules', access: 'signed-in', load: () => import('./rules-page.tsx') },
  ],
  nav: [
    {
      label: 'Lists',
      to,
      icon: IconListDetails,
      section: 'Audience',
      order: 15,
      goKey: 'l',
      keywords: 'list audience group segment tag tags label subscribers',
      counted: ['list', 'lists'],
      count: () => ({
        queryKey: queryKeyOf(all),
        queryFn: async ({ signal }) => call((await import('../contract.ts')).getLists, { signal }),
        staleTime: 60_000,
        select: (lists: List[]) => formatNumber(lists.length),
      }),
    },
  ],
  commands: [
    {
      label: 'Create list',
      takes: 'editor',
      icon: IconPlus,
      to,
      search: { open: 'new-list' },
      keywords: 'new list group audience segment',
    },
    {
      label: 'Create tag',
      takes: 'editor',
      icon: IconTag,
      to,
      search: { open: 'new-tag' },
      keywords: 'new tag label',
    },
  ],
  changesWith: { [contactsTopic]: [all, one] },
};
