import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { accountTopic } from '#features/account/web/index.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import { listMembers, listOwnInvitations } from '../contract.ts';
import { teamWords } from '../rules/words.ts';
import { teamSearch } from './team-search.ts';

export { TwoFactorGate, WorkspaceSwitcher } from './deferred.tsx';

export const teamFeature: WebFeature = {
  words: teamWords,
  pages: [
    { path: '/invitation/$token', access: 'public', load: () => import('./invitation-page.tsx') },
    { path: '/team', access: 'signed-in', search: teamSearch, load: () => import('./team-page.tsx') },
  ],
  changesWith: { [accountTopic]: [listMembers, listOwnInvitations] },
  nav: [{ label: 'Team', to: '/team', icon: IconUsers, section: 'End', order: 40, goKey: 't' }],
  commands: [
    {
      label: 'Invite people',
      takes: 'admin',
      icon: IconUserPlus,
      to: '/team',
      search: { open: 'invite' },
      keywords: 'member colleague role add user',
    },
  ],
};
