import { IconShieldCog } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { adminWords } from '../rules/words.ts';
import { adminSearch } from './admin-search.ts';

export const adminFeature: WebFeature = {
  words: adminWords,
  pages: [
    { path: '/admin', access: 'signed-in', search: adminSearch, load: () => import('./admin-page.tsx') },
  ],
  nav: [{ label: 'Admin', to: '/admin', icon: IconShieldCog, section: 'End', order: 90, adminOnly: true }],
};
