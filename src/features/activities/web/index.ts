import { IconActivity } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { activitiesSearch } from './activities-search.ts';

export const activitiesFeature: WebFeature = {
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
      description: 'What happened, by whom and when',
      icon: IconActivity,
      to: '/activities',
      keywords: 'history log recent',
    },
  ],
};
