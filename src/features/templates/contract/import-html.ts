import { z } from 'zod';
import { access, endpoint } from '#platform/shared/contract.ts';

/** Characters. Cleaned HTML is a little longer or shorter than what was pasted. */
const longestHtml = 1_000_000;

const line = z.number().int().describe('Where the first one stands, from 1.');

export const importHtml = endpoint({
  method: 'POST',
  path: '/api/templates/import',
  access: access.member('editor', 'templates:write'),
  summary:
    "Clean HTML that was written elsewhere, turn Mailchimp's merge tags into Liquid, and make its text version. " +
    'Nothing is stored: create a template with what comes back.',
  tag: 'Templates',
  limits: 'At most 1,000,000 characters.',
  bodyMegabytes: 4,
  writesLittle: true,
  body: z.strictObject({
    html: z
      .string({ error: 'HTML content is required' })
      .max(longestHtml, 'The HTML is larger than 1 MB. Take something out of it.')
      .refine((html) => html.trim() !== '', 'HTML content is required'),
  }),
  response: z.object({
    htmlContent: z
      .string()
      .describe('The HTML without what runs, sends or fetches more than pictures and fonts.'),
    textContent: z.string().describe('What a person reads in it.'),
    leftOut: z
      .array(z.object({ what: z.string(), count: z.number().int(), line }))
      .describe('What was taken out of the HTML.'),
    fonts: z
      .array(z.string())
      .describe("Fonts that stay, and that readers' mail programs fetch from elsewhere."),
    turnedTags: z.number().int().describe("How many of Mailchimp's merge tags are Liquid now."),
    leftTags: z
      .array(z.object({ tag: z.string(), words: z.string(), line }))
      .describe("Mailchimp's merge tags that have no equal here. They stand in the HTML as they were."),
  }),
});
