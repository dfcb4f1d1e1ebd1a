import { IconBan, IconLayoutDashboard } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { dashboardSearch } from './dashboard-search.ts';

export const dashboardFeature: WebFeature = {
  pages: [
    {
      path: ['/', '/dashboard'],
      access: 'signed-in',
      search: dashboardSearch,
      load: () => import('./dashboard-page.tsx'),
    },
  ],
  nav: [
    {
      label: 'Dashboard',
      to: '/dashboard',
      also: ['/'],
      icon: IconLayoutDashboard,
      section: 'Overview',
      order: 1,
      goKey: 'd',
      keywords: 'home overview start figures statistics',
    },
  ],
  commands: [
    {
      label: 'Suppress a domain',
      takes: 'editor',
      icon: IconBan,
      to: '/dashboard',
      search: { open: 'suppress-domain' },
      keywords: 'block unsubscribe opt-out do not mail company',
    },
  ],
};
