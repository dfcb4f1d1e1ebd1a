import { IconCertificate } from '@tabler/icons-react';
import { contactsTopic } from '#features/contacts/web/index.ts';
import type { WebFeature } from '#platform/web/feature.ts';
import { getBasisSettings, listBasisChanges } from '../contract.ts';
import { basisWords } from '../rules/words.ts';
import { basisChangesSearch } from './basis-changes-search.ts';

export { basisLabels } from '../rules.ts';
export { ContactBasis } from './contact-basis.tsx';
export { SaidBasisField } from './said-basis.tsx';
export { useSetBasis } from './use-set-basis.tsx';

export const basisFeature: WebFeature = {
  words: basisWords,
  eventWords: () => import('./event-words.ts'),
  pages: [
    {
      path: '/basis-changes',
      access: 'signed-in',
      search: basisChangesSearch,
      load: () => import('./basis-changes-page.tsx'),
    },
  ],
  sections: [
    {
      page: '/settings',
      id: 'mailable',
      title: 'Whom you may mail',
      load: () => import('./mailable-card.tsx'),
    },
  ],
  commands: [
    {
      label: 'Marketing bases set',
      description: 'What was said of many contacts, to take it back',
      icon: IconCertificate,
      to: '/basis-changes',
      keywords: 'consent soft opt-in corporate subscriber pecr gdpr lawful undo',
    },
  ],
  changesWith: { [contactsTopic]: [getBasisSettings, listBasisChanges] },
};
