import type { WebFeature } from '#platform/web/feature.ts';
import { imagesWords } from '../rules/words.ts';
import { imagesSearch } from './images-search.ts';

export { preparedTakeBack, takeBack, useImagePicker } from './deferred.tsx';
export type { PickedImage } from './picked-image.ts';

/** Reached from the screen of templates. */
export const imagesFeature: WebFeature = {
  words: imagesWords,
  pages: [
    {
      path: '/templates/images',
      access: 'signed-in',
      search: imagesSearch,
      load: () => import('./images-page.tsx'),
    },
  ],
};
