import { heavyBytes } from '#features/images/rules/limits.ts';
import { formatNumber } from '#platform/shared/words.ts';
import { type HtmlHandler, readHtml } from './html/reader.ts';
import { masked, spansOf } from './liquid/spans.ts';
import { placesIn } from './problem.ts';
import type { TemplateWarning } from './warnings.ts';

/** The addresses of the images that HTML shows, each with the place of its first tag. */
export function imagesIn(html: string): Map<string, number> {
  const found = new Map<string, number>();
  const nothing = () => {};
  const handler: HtmlHandler = {
    open(name, attributes, at) {
      const src = attributes.find((attribute) => attribute.name === 'src')?.value;
      if (/^img$/i.test(name) && src && !found.has(src)) found.set(src, at);
    },
    close: nothing,
    text: nothing,
    comment: nothing,
    doctype: nothing,
  };
  readHtml(masked(html, spansOf(html).spans), handler);
  return found;
}

/** Images that readers on a phone wait for. `sizes` has the bytes of those that are known. */
export function heavyImages(html: string, sizes: ReadonlyMap<string, number>): TemplateWarning[] {
  const placeOf = placesIn(html);
  return [...imagesIn(html)].flatMap(([url, at]): TemplateWarning[] => {
    const bytes = sizes.get(url) ?? 0;
    if (bytes <= heavyBytes) return [];
    const words = `This image has ${formatNumber(bytes / 1000)} kB, and readers on a phone wait for it. Up to 200 kB are quick.`;
    return [{ key: 'heavy_image', words, part: 'html', ...placeOf(at) }];
  });
}
