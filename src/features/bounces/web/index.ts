import type { WebFeature } from '#platform/web/feature.ts';

/** What the world answered to messages is shown by the features that have screens. */
export const bouncesFeature: WebFeature = {
  pages: [],
  eventWords: () => import('./event-words.ts'),
};
