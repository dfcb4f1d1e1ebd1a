import type { WebFeature } from '#platform/web/feature.ts';

export const paceFeature: WebFeature = {
  pages: [],
  sections: [
    {
      page: '/settings',
      id: 'sending-pace',
      title: 'Sending pace',
      load: () => import('./pace-card.tsx'),
    },
  ],
};
