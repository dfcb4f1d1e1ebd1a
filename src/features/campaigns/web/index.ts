import { IconCalendar, IconSend } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { campaignsWords } from '../rules/words.ts';
import { calendarSearch, campaignSearch, campaignsSearch, checkSearch } from './campaigns-search.ts';

const to = '/campaigns';
const keywords = 'campaign newsletter send mailing email blast schedule';

export const campaignsFeature: WebFeature = {
  words: campaignsWords,
  pages: [
    { path: to, access: 'signed-in', search: campaignsSearch, load: () => import('./campaigns-page.tsx') },
    {
      path: '/campaigns/calendar',
      access: 'signed-in',
      search: calendarSearch,
      load: () => import('./calendar/calendar-page.tsx'),
    },
    {
      path: '/campaigns/$id',
      access: 'signed-in',
      search: campaignSearch,
      load: () => import('./campaign-page.tsx'),
    },
    {
      path: '/campaigns/$id/edit',
      access: 'signed-in',
      load: () => import('./editor/edit-page.tsx'),
    },
    {
      path: '/campaigns/$id/check',
      access: 'signed-in',
      search: checkSearch,
      load: () => import('./check-page.tsx'),
    },
  ],
  nav: [{ label: 'Campaigns', to, icon: IconSend, section: 'Marketing', order: 10, goKey: 'c', keywords }],
  commands: [
    {
      label: 'Campaign calendar',
      isPlace: true,
      description: 'What goes out when',
      icon: IconCalendar,
      to: '/campaigns/calendar',
      keywords: 'schedule month week plan campaigns',
    },
    {
      label: 'Create a campaign',
      takes: 'editor',
      description: 'An email to many',
      icon: IconSend,
      to,
      search: { dialog: 'new' },
      keywords,
    },
  ],
};
