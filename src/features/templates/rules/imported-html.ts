import { cleanHtml } from './html/clean.ts';
import { textFromHtml } from './html/text.ts';
import { fromMailchimp } from './mailchimp.ts';

/** Makes HTML of elsewhere the content of a template. */
export function importedHtml(html: string) {
  const { source, turned, fields, left } = fromMailchimp(html);
  const { html: htmlContent, leftOut, fonts } = cleanHtml(source);
  return {
    htmlContent,
    textContent: textFromHtml(htmlContent),
    leftOut,
    fonts,
    turnedTags: turned,
    turnedFields: fields,
    leftTags: left,
  };
}
