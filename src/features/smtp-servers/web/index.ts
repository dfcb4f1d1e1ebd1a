import type { WebFeature } from '#platform/web/feature.ts';
import { smtpServersWords } from '../rules/words.ts';

export const smtpServersFeature: WebFeature = {
  words: smtpServersWords,
  pages: [],
  sections: [
    {
      page: '/settings',
      id: 'smtp-servers',
      title: 'SMTP servers',
      load: () => import('./servers-card.tsx'),
    },
  ],
};
