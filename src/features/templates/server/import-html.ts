import type { BodyOf, ResponseOf } from '#platform/shared/contract.ts';
import type { importHtml as endpoint } from '../contract.ts';
import { cleanHtml } from '../rules/html/clean.ts';
import { textFromHtml } from '../rules/html/text.ts';
import { fromMailchimp } from '../rules/mailchimp.ts';

/** Makes HTML of elsewhere the content of a template. Nothing is stored. */
export function importHtml({ html }: BodyOf<typeof endpoint>): ResponseOf<typeof endpoint> {
  const { source, turned, left } = fromMailchimp(html);
  const { html: htmlContent, leftOut, fonts } = cleanHtml(source);
  return {
    htmlContent,
    textContent: textFromHtml(htmlContent),
    leftOut,
    fonts,
    turnedTags: turned,
    leftTags: left,
  };
}
