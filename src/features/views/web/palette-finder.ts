import { IconBookmark } from '@tabler/icons-react';
import { call } from '#platform/web/api.ts';
import type { PaletteFinder } from '#platform/web/feature.ts';
import { listViews } from '../contract.ts';
import { addressOfView } from './view-address.ts';

const mostFound = 5;

/** Views whose name contains every typed word. "view" finds them all. */
const findViews: PaletteFinder = async (typed, signal) => {
  const asked = typed.toLowerCase().split(/[\s:]+/);
  const { items } = await call(listViews, { signal });
  return items
    .filter(({ problem }) => problem === null)
    .filter(({ name }) => asked.every((word) => `view ${name.toLowerCase()}`.includes(word)))
    .slice(0, mostFound)
    .map((view) => ({
      key: `view-${view.id}`,
      label: `View: ${view.name}`,
      description: view.shared ? 'Shared' : 'Yours',
      icon: IconBookmark,
      to: '/email-database',
      search: addressOfView(view),
    }));
};

export default findViews;
