import type { WebFeature } from '#platform/web/feature.ts';

/** Only a card among the settings. */
export const maintenanceFeature: WebFeature = {
  pages: [],
  sections: [
    {
      page: '/settings',
      id: 'maintenance',
      title: 'Maintenance',
      load: () => import('./maintenance-card.tsx'),
    },
  ],
};
