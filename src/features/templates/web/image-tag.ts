import type { PickedImage } from '#features/images/web/index.ts';

/**
 * What an email shows at most, in pixels. Images have twice as many pixels, for screens of high
 * density.
 */
const widthOfEmail = 600;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The width stands in the tag too: Outlook reads no style for it. */
export const imageTag = ({ url, alt, width }: PickedImage): string =>
  `<img src="${escaped(url)}" alt="${escaped(alt)}" width="${Math.min(width, widthOfEmail)}" style="max-width: 100%; height: auto; border: 0;">`;

/** The same in MJML, which writes the rest itself. */
export const imageOfMjml = ({ url, alt, width }: PickedImage): string =>
  `<mj-image src="${escaped(url)}" alt="${escaped(alt)}" width="${Math.min(width, widthOfEmail)}px" />`;
