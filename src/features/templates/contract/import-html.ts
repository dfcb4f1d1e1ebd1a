import { z } from 'zod';
import { access, endpoint, multipart } from '#platform/shared/contract.ts';
import { formatNumber } from '#platform/shared/words.ts';

/** Characters. Cleaned HTML is a little longer or shorter than what was pasted. */
export const longestHtml = 1_000_000;

const line = z.number().int().describe('Where the first one stands, from 1.');

/** What of a zip is read at most. */
export const mostZipMegabytes = 25;
export const mostZipFiles = 2_000;
export const mostZipImages = 60;

const imported = z.object({
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
  turnedFields: z
    .array(z.object({ name: z.string(), tag: z.string(), line }))
    .describe(
      'The merge fields that they became, each once, with the first tag that stood for it. ' +
        '`GET /api/templates/fields` says which of them contacts have.',
    ),
  leftTags: z
    .array(z.object({ tag: z.string(), words: z.string(), line }))
    .describe("Mailchimp's merge tags that have no equal here. They stand in the HTML as they were."),
});

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
  response: imported,
});

export const importZip = endpoint({
  method: 'POST',
  path: '/api/templates/import/zip',
  access: access.member('editor', 'templates:write'),
  summary:
    'The same for a zip with HTML and its images, as other programs export it. The images that the HTML shows ' +
    'are stored as uploads are, and their addresses written into the HTML. The same zip again gives the same ' +
    'images. No template is stored: create one with what comes back. With an API key, a zip with images takes the scope `images:write` too.',
  tag: 'Templates',
  limits:
    `A zip has at most ${mostZipMegabytes} MB, ${formatNumber(mostZipFiles)} files, and ${mostZipImages} images that the HTML shows, ` +
    'each within the limits of an upload. If there are several HTML files, the first `index.html` is read, else the first that is least deep in folders.',
  body: multipart({ file: 'The zip.' }),
  response: imported.extend({
    htmlFile: z.string().describe('The file in the zip that was read.'),
    otherHtmlFiles: z.array(z.string()).describe('Files with HTML that were not read.'),
    images: z
      .array(
        z.object({
          file: z.string(),
          id: z.number().int(),
          url: z.string(),
          wasThere: z
            .boolean()
            .describe('The library had it already. Delete the others if you make no template.'),
        }),
      )
      .describe('The images that were stored, or were there already.'),
    lostImages: z
      .array(z.object({ file: z.string(), words: z.string() }))
      .describe('What the HTML shows and the zip does not give, and why. It stands in the HTML as it was.'),
  }),
  fails: ['upload_cut_off', 'timeout', 'unavailable', 'insufficient_storage'],
});
