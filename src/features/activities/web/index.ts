import { IconActivity } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { activitiesWords } from '../rules/words.ts';
import { activitiesSearch } from './activities-search.ts';

export const activitiesFeature: WebFeature = {
  words: activitiesWords,
  pages: [
    {
      path: '/activities',
      access: 'signed-in',
      search: activitiesSearch,
      load: () => import('./activities-page.tsx'),
    },
  ],
  commands: [
    {
      label: 'Activities',
      isPlace: true,
      description: 'What happened, by whom and when',
      icon: IconActivity,
      to: '/activities',
      keywords: 'history log recent',
    },
  ],
};
