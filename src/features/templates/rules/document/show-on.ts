import { z } from 'zod';

/** The screens that show a block. */
export const showOn = z.enum(['phone', 'desktop']);
export type ShowOn = z.output<typeof showOn>;

export const showOnWords: Record<ShowOn, string> = { phone: 'Phones only', desktop: 'Desktop only' };

export const otherScreens: Record<ShowOn, ShowOn> = { phone: 'desktop', desktop: 'phone' };

/** The class of what only some screens show. */
export const classOn: Record<ShowOn, string> = { phone: 'on-phones', desktop: 'on-desktop' };

/**
 * Hides what is for other screens. Columns are beside each other from the same width on. Outlook
 * knows no widths: it shows what is for desktops, and marks tables as hidden one by one.
 */
export const screenStyles = [
  '<mj-style>',
  '@media only screen and (max-width:479px) { .on-desktop { display: none !important; } }',
  '@media only screen and (min-width:480px) { .on-phones { display: none !important; } }',
  '.on-phones, .on-phones table, .on-phones td, .on-phones-outlook { mso-hide: all; }',
  '</mj-style>',
].join('\n');
