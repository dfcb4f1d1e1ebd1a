import { IconWorldCheck } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { sendersWords } from '../rules/words.ts';
import { domainPath, domainsPath } from './paths.ts';
import { sendersSearch } from './senders-search.ts';

export { SenderSelect } from './deferred.tsx';
export type { ChosenSender } from './sender-select.tsx';

export const sendersFeature: WebFeature = {
  words: sendersWords,
  pages: [
    {
      path: domainsPath,
      access: 'signed-in',
      search: sendersSearch,
      load: () => import('./sender-domains-page.tsx'),
    },
    { path: domainPath, access: 'signed-in', load: () => import('./sender-domain-page.tsx') },
  ],
  sections: [
    {
      page: '/settings',
      id: 'sender-addresses',
      title: 'Sender addresses',
      load: () => import('./addresses-card.tsx'),
    },
    {
      page: '/settings',
      id: 'sender-domains',
      title: 'Sender domains',
      load: () => import('./senders-card.tsx'),
    },
  ],
  commands: [
    {
      label: 'Sender domains',
      description: 'DKIM, SPF and DMARC of the domains you send from',
      icon: IconWorldCheck,
      to: domainsPath,
      isPlace: true,
      keywords: 'dns records dkim spf dmarc mx authentication deliverability from address',
    },
  ],
};
