import { IconUserCircle, IconUserPlus, IconUsers } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { authSearch } from './auth-search.ts';
import { accountSearch, linkSearch, teamSearch } from './team-search.ts';

export { TwoFactorGate, WorkspaceSwitcher } from './deferred.tsx';
export { currentUserOptions, enterWorkspace, signOut } from './session.ts';

export const identityFeature: WebFeature = {
  pages: [
    { path: '/auth', access: 'signed-out', search: authSearch, load: () => import('./auth-page.tsx') },
    { path: '/forgot-password', access: 'public', load: () => import('./forgot-page.tsx') },
    { path: '/reset-password', access: 'public', search: linkSearch, load: () => import('./reset-page.tsx') },
    {
      path: '/confirm-email',
      access: 'public',
      search: linkSearch,
      load: () => import('./confirm-page.tsx'),
    },
    { path: '/invitation/$token', access: 'public', load: () => import('./invitation-page.tsx') },
    { path: '/team', access: 'signed-in', search: teamSearch, load: () => import('./team-page.tsx') },
    {
      path: '/account',
      access: 'signed-in',
      search: accountSearch,
      load: () => import('./account-page.tsx'),
    },
  ],
  nav: [{ label: 'Team', to: '/team', icon: IconUsers, section: 'End', order: 40, goKey: 't' }],
  commands: [
    {
      label: 'Invite people',
      icon: IconUserPlus,
      to: '/team',
      search: { open: 'invite' },
      keywords: 'member colleague role add user',
    },
    {
      label: 'Your account',
      description: 'Name, password, two-factor sign-in, notifications, sessions',
      icon: IconUserCircle,
      to: '/account',
      keywords: 'profile email password two-factor 2fa totp security sessions devices single sign-on sso',
    },
  ],
};
