import { IconMailX } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { bouncesWords } from '../rules/words.ts';
import { bouncesSearch } from './bounces-search.ts';

const to = '/bounces';

export const bouncesFeature: WebFeature = {
  words: bouncesWords,
  pages: [{ path: to, access: 'signed-in', search: bouncesSearch, load: () => import('./bounces-page.tsx') }],
  sections: [
    {
      page: '/settings',
      id: 'bounce-webhooks',
      title: 'Bounce webhooks',
      load: () => import('./webhooks-card.tsx'),
    },
  ],
  eventWords: () => import('./event-words.ts'),
  commands: [
    {
      label: 'Returned mail',
      isPlace: true,
      description: 'What came back to your messages and no rule understands',
      icon: IconMailX,
      to,
      keywords: 'bounce bounces undelivered dsn complaint return path review',
    },
  ],
};
