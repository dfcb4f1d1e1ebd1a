import { z } from 'zod';
import { access, endpoint } from '#platform/shared/contract.ts';
import { templateDocument } from '../rules/document/schema.ts';
import { document, htmlContent, mjml, refuseMixed, templateModes } from './content.ts';

export const switchMode = endpoint({
  method: 'POST',
  path: '/api/templates/switch',
  access: access.member('viewer', 'templates:read'),
  summary:
    'Turn what a template is written in into another mode, to go on there. Nothing is stored. ' +
    'From a document to MJML and from both to HTML the message stays the same. ' +
    'HTML and MJML become one block of HTML in a document.',
  tag: 'Templates',
  bodyMegabytes: 4,
  writesLittle: true,
  body: z
    .strictObject({
      htmlContent: htmlContent.nullish(),
      mjml: mjml.nullish(),
      document: document.nullish(),
      to: z.enum(templateModes),
    })
    .superRefine((body, context) => refuseMixed(body, context, true)),
  response: z.object({
    mode: z.enum(templateModes),
    mjml: z.string().nullable(),
    document: templateDocument.nullable(),
    htmlContent: z.string(),
    isLossless: z.boolean().describe('The message looks the same, and all of it can be changed.'),
    words: z.string().nullable().describe('What is different afterwards.'),
  }),
});
