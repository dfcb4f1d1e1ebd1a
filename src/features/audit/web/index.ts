import { IconListSearch } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { auditSearch } from './audit-search.ts';

export const auditFeature: WebFeature = {
  pages: [
    { path: '/audit', access: 'signed-in', search: auditSearch, load: () => import('./audit-page.tsx') },
  ],
  nav: [{ label: 'Audit Log', to: '/audit', icon: IconListSearch, section: 'End', order: 50 }],
};
