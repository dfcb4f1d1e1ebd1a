import { IconBan, IconWorldOff } from '@tabler/icons-react';
import { contactsTopic } from '#features/contacts/web/index.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { deferredDialog } from '#platform/web/components/deferred.tsx';
import type { WebFeature } from '#platform/web/feature.ts';
import { formatCompact } from '#platform/web/format.ts';
import { listDomainSuppressions, listEmailSuppressions, suppressionSummary } from '../contract.ts';
import { suppressionsWords } from '../rules/words.ts';
import { entriesOn } from './counts.ts';
import { suppressionsSearch } from './suppressions-search.ts';

/** Puts a whole domain on the list. */
export const SuppressDomainDialog = deferredDialog(() =>
  import('./suppress-domain-dialog.tsx').then((module) => module.SuppressDomainDialog),
);

const to = '/suppressions';

export const suppressionsFeature: WebFeature = {
  words: suppressionsWords,
  eventWords: () => import('./event-words.ts'),
  pages: [
    {
      path: to,
      access: 'signed-in',
      search: suppressionsSearch,
      load: () => import('./suppressions-page.tsx'),
    },
  ],
  nav: [
    {
      label: 'Suppressions',
      to,
      icon: IconBan,
      section: 'Audience',
      order: 30,
      goKey: 's',
      keywords:
        'unsubscribe unsubscribed cleaned bounce bounced complaint spam opt-out block blacklist do not mail',
      counted: ['entry', 'entries'],
      count: () => ({
        ...queryOptionsFor(suppressionSummary),
        staleTime: 60_000,
        select: (lists) => formatCompact(entriesOn(lists)),
      }),
    },
  ],
  commands: [
    {
      label: 'Suppressions',
      description: 'Who must not be mailed',
      icon: IconBan,
      to,
      keywords:
        'unsubscribe unsubscribed cleaned bounce bounced complaint spam opt-out optout block blacklist do not mail list',
    },
    {
      label: 'Import a suppression list',
      takes: 'editor',
      description: 'Addresses, domains or hashes',
      icon: IconBan,
      to,
      search: { dialog: 'import' },
      keywords: 'upload unsubscribe unsubscribed cleaned bounced opt-out do not mail md5 sha',
    },
    {
      label: 'Domain Suppressions',
      isPlace: true,
      description: 'Domains that must not be mailed',
      icon: IconWorldOff,
      to,
      search: { tab: 'domains' },
      keywords: 'block domain',
    },
  ],
  changesWith: { [contactsTopic]: [listEmailSuppressions, listDomainSuppressions, suppressionSummary] },
};
