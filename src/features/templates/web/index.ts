import { IconTemplate } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { templatesWords } from '../rules/words.ts';
import { editorSearch, templatesSearch } from './templates-search.ts';

export { EmailEditor, EmailPreview, TestForm } from './deferred.tsx';
export type { EmailContent } from './editor/email-editor.tsx';

const to = '/templates';
const keywords = 'email design layout preset newsletter html mjml';

export const templatesFeature: WebFeature = {
  words: templatesWords,
  pages: [
    { path: to, access: 'signed-in', search: templatesSearch, load: () => import('./templates-page.tsx') },
    {
      path: '/templates/$id',
      access: 'signed-in',
      search: editorSearch,
      load: () => import('./editor/editor-page.tsx'),
    },
  ],
  sections: [
    {
      page: '/settings',
      id: 'brand',
      title: 'Email brand',
      load: () => import('./brand/brand-card.tsx'),
    },
  ],
  nav: [{ label: 'Templates', to, icon: IconTemplate, section: 'Marketing', order: 20, keywords }],
  commands: [
    {
      label: 'Create a template',
      takes: 'editor',
      description: 'A reusable email',
      icon: IconTemplate,
      to,
      search: { dialog: 'begin' },
      keywords,
    },
  ],
};
