import type { WebFeature } from '#platform/web/feature.ts';

export { ViewDialog, ViewMenu, ViewSave } from './deferred.tsx';
export { useViews } from './use-views.ts';
export type { AskedView, ViewPlace } from './view-place.ts';

export const viewsFeature: WebFeature = {
  pages: [],
  finder: () => import('./palette-finder.ts'),
};
