import { IconSettings } from '@tabler/icons-react';
import type { WebFeature } from '#platform/web/feature.ts';
import { settingsWords } from '../rules/words.ts';
import { settingsPath as to } from './settings-path.ts';

export const settingsFeature: WebFeature = {
  words: settingsWords,
  pages: [{ path: to, access: 'signed-in', load: () => import('./settings-page.tsx') }],
  nav: [{ label: 'Settings', to, icon: IconSettings, section: 'End', order: 90, goKey: ',' }],
  commands: [
    {
      label: 'Settings',
      description: 'Validation, import, export, sender and retention',
      icon: IconSettings,
      to,
      keywords: 'options preferences uk policy allowed domains batch size file format retention bin',
    },
  ],
};
