/** The blanks after a preheader, which keep the next words of the message from following it. */
export const preheaderFilling = '&#847;&zwnj;&nbsp;'.repeat(60);

/** What mail programs show of a preheader beside a short subject. */
export const shownPreheader = 90;

/** How many characters a preheader has beside its merge fields. */
export const preheaderLength = (words: string): number =>
  words.replace(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, '').length;
