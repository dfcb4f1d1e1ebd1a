import { IconUserCircle } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { accountWords } from '../rules/words.ts';
import { accountSearch, proofSearch } from './account-search.ts';

export { accountTopic } from './account-topic.ts';
export { SetUpDialog } from './deferred.tsx';
export { OwnPassword } from './own-password.tsx';

export const accountFeature: WebFeature = {
  words: accountWords,
  pages: [
    {
      path: '/account',
      access: 'signed-in',
      search: accountSearch,
      load: () => import('./account-page.tsx'),
    },
    {
      path: '/confirm-email',
      access: 'public',
      search: proofSearch,
      load: () => import('./confirm-page.tsx'),
    },
  ],
  commands: [
    {
      label: 'Your account',
      isPlace: true,
      description: 'Name, password, two-factor sign-in, notifications, sessions',
      icon: IconUserCircle,
      to: '/account',
      keywords: 'profile email password two-factor 2fa totp security sessions devices single sign-on sso',
    },
  ],
};
