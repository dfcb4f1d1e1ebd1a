import { IconMailbox } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { messagesSearch } from './messages-search.ts';

export const sendingFeature: WebFeature = {
  pages: [
    {
      path: '/outbox/messages',
      access: 'signed-in',
      search: messagesSearch,
      load: () => import('./messages-page.tsx'),
    },
  ],
  eventWords: () => import('./event-words.ts'),
  commands: [
    {
      label: 'Open the kept messages',
      isPlace: true,
      description: 'Campaigns as their readers would see them, where no mail server is set',
      icon: IconMailbox,
      to: '/outbox/messages',
      keywords: 'outbox campaign mail kept sent preview',
    },
  ],
};
