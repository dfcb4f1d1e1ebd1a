import type { WebFeature } from '#platform/web/feature.ts';
import { viewsWords } from '../rules/words.ts';

export { ViewDialog, ViewMenu, ViewSave } from './deferred.tsx';
export { useViews } from './use-views.ts';
export type { AskedView, ViewPlace } from './view-place.ts';

export const viewsFeature: WebFeature = {
  words: viewsWords,
  pages: [],
  finder: () => import('./palette-finder.ts'),
};
