import { IconMailbox } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { mailWords } from '../rules/words.ts';
import { outboxSearch } from './outbox-search.ts';

export const mailFeature: WebFeature = {
  words: mailWords,
  pages: [
    { path: '/outbox', access: 'signed-in', search: outboxSearch, load: () => import('./outbox-page.tsx') },
  ],
  commands: [
    {
      label: 'Open the outbox',
      takes: 'admin',
      isPlace: true,
      description: 'Invitations and other mail from Email Manager',
      icon: IconMailbox,
      to: '/outbox',
      keywords: 'mail sent failed link invitation password reset',
    },
  ],
};
