import type { WebFeature } from '#platform/web/feature.ts';

/** What readers did is shown by the features that have screens. */
export const trackingFeature: WebFeature = {
  pages: [],
  eventWords: () => import('./event-words.ts'),
};
