import { IconReceipt } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { transactionalWords } from '../rules/words.ts';
import { transactionalSearch } from './transactional-search.ts';

const to = '/transactional';

export const transactionalFeature: WebFeature = {
  words: transactionalWords,
  pages: [
    {
      path: to,
      access: 'signed-in',
      search: transactionalSearch,
      load: () => import('./transactional-page.tsx'),
    },
  ],
  nav: [
    {
      label: 'Transactional',
      to,
      icon: IconReceipt,
      section: 'Connect',
      order: 15,
      keywords: 'receipt notice reset password single message api send log',
    },
  ],
};
