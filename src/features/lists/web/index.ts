import { IconListDetails, IconPlus, IconTag } from '@tabler/icons-react';
import { contactsTopic } from '#features/contacts/web/index.ts';
import { pickerOf, useGroupContacts } from '#features/memberships/web/index.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import { formatNumber } from '#platform/web/format.ts';
import { getList, getLists } from '../contract.ts';
import { listsWords } from '../rules/words.ts';
import { listCalls } from './list-calls.ts';
import { listsSearch } from './lists-search.ts';

const to = '/lists';

/** Puts many contacts on a list, or takes them off. `onBegun` is called once that is on its way. */
export const useListContacts = (onBegun: () => void) => useGroupContacts(listCalls, onBegun);

/** A field of a form: chooses a list, or makes one. */
export const ListPicker = pickerOf(listCalls);

export const listsFeature: WebFeature = {
  words: listsWords,
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
      counted: 'lists',
      count: () => ({
        ...queryOptionsFor(getLists),
        staleTime: 60_000,
        select: (lists) => formatNumber(lists.length),
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
  changesWith: { [contactsTopic]: [getLists, getList] },
};
