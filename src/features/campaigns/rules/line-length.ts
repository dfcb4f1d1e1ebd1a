import { shownPreheader } from '#features/templates/rules/preheader.ts';

/** Phones show so many of a subject in upright position. */
export const shownSigns = 40;

/** Signs as people count them: an emoji of a family is one. */
const signsOf = (line: string): number => [...new Intl.Segmenter('en-GB').segment(line)].length;

/** Merge fields are longer or shorter for each reader, so they are not counted. */
const withoutLiquid = (line: string): string => line.replace(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, '');
const besides = (line: string): string => (withoutLiquid(line) === line ? '' : ' beside the merge fields');

/** How long a subject is, next to what phones show. */
export function subjectHint(subject: string): string {
  const signs = signsOf(withoutLiquid(subject));
  if (subject === '') return 'Merge fields such as {{ first_name }} are filled in.';
  return signs <= shownSigns
    ? `${signs} of about ${shownSigns} characters that phones show${besides(subject)}`
    : `${signs} characters${besides(subject)}. Phones show about the first ${shownSigns}.`;
}

/** The same of a preheader, which mail programs show beside the subject. */
export function preheaderHint(preheader: string): string {
  const signs = signsOf(withoutLiquid(preheader));
  if (preheader === '') return 'Shown beside the subject. Empty: the first words of the message.';
  return signs <= shownPreheader
    ? `${signs} of about ${shownPreheader} characters that mail programs show${besides(preheader)}`
    : `${signs} characters${besides(preheader)}. Mail programs show about the first ${shownPreheader}.`;
}
