import { IconKey } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { apiKeysWords } from '../rules/words.ts';
import { keysSearch } from './keys-search.ts';

export const apiKeysFeature: WebFeature = {
  words: apiKeysWords,
  pages: [
    { path: '/api-keys', access: 'signed-in', search: keysSearch, load: () => import('./api-keys-page.tsx') },
  ],
  nav: [{ label: 'API Keys', to: '/api-keys', icon: IconKey, section: 'Connect', order: 40 }],
  commands: [
    {
      label: 'New API key',
      takes: 'admin',
      icon: IconKey,
      to: '/api-keys',
      search: { open: 'new' },
      keywords: 'token secret developer integration program',
    },
  ],
};
