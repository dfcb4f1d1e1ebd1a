import { errorsWith } from '#platform/shared/errors.ts';

/** How an upload may fail, for programs. */
export const imageCodes = {
  not_an_image: 'unsupported_media_type',
  damaged_image: 'invalid_input',
  too_many_pixels: 'too_large',
  images_full: 'conflict',
} as const;

export const imageError = errorsWith(imageCodes);
