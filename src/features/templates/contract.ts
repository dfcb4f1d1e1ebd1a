import { z } from 'zod';
import {
  access,
  cursorField,
  endpoint,
  flag,
  idParams,
  raw,
  walkedItemsOf,
} from '#platform/shared/contract.ts';
import { formatNumber } from '#platform/shared/words.ts';
import {
  alsoBesideOthers,
  category,
  description,
  document,
  htmlContent,
  mjml,
  name,
  previewedHtml,
  refuseMixed,
  templateModes,
  textContent,
} from './contract/content.ts';
import { latestVersion } from './contract/presence.ts';
import { templateCategories } from './rules/categories.ts';
import { templateDocument } from './rules/document/schema.ts';
import { findingParts } from './rules/problem.ts';
import { sampledFields } from './rules/sample-data.ts';

export {
  applyBrand,
  forgetBlock,
  getBlock,
  getBrand,
  keepBlock,
  listBlocks,
  putBrand,
} from './contract/brand.ts';
export { longestTemplateName, templateModes } from './contract/content.ts';
export { listTemplateFields } from './contract/fields.ts';
export { importHtml, importZip } from './contract/import-html.ts';
export { endPresence, keepPresence } from './contract/presence.ts';
export { listTemplatePresets, type TemplatePreset } from './contract/presets.ts';
export { switchMode } from './contract/switch-mode.ts';
export { sendTest } from './contract/test-send.ts';

/** More than anybody can tell apart. */
export const mostTemplates = 1000;
/** Older versions of a template are forgotten. */
export const mostVersions = 100;
/** For so long, automatic saves of one person are one version. Then they begin the next one. */
export const joinMinutes = 10;
/** Deleted templates can be restored for this long. */
export const deletedDays = 30;
/** How many templates an answer holds when it holds their content too. */
export const mostWithContent = 20;
const versionSeen = z
  .number()
  .int()
  .positive()
  .optional()
  .describe('The version that is being changed, as you last saw it. Absent: changed whatever stands there.');

const summary = z
  .object({
    id: z.number().int(),
    name: z.string(),
    description: z.string().nullable(),
    category: z.enum(templateCategories),
    mode: z.enum(templateModes).describe('How it is written.'),
    usageCount: z.number().int().describe('How often campaigns and workflows have used it.'),
    version: z.number().int().describe('Counts up with each change, also where saves are joined.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    updatedBy: z
      .string()
      .nullable()
      .describe('The person or API key; null when they are not there any more.'),
  })
  .meta({ id: 'TemplateSummary' });
export type TemplateSummary = z.output<typeof summary>;

const template = summary
  .extend({
    mjml: z.string().nullable().describe('What it is made from in the mode `mjml`.'),
    document: templateDocument.nullable().describe('What it is made from in the mode `visual`.'),
    htmlContent: z.string().describe('In the modes `mjml` and `visual`, made by the server.'),
    textContent: z.string().nullable().describe('Null: made from the HTML.'),
  })
  .meta({ id: 'Template' });
export type Template = z.output<typeof template>;

const finding = z
  .object({
    words: z.string().describe('In words for the person who writes the template.'),
    part: z.enum(findingParts),
    line: z.number().int().nullable(),
    column: z.number().int().nullable(),
    block: z.string().nullable().describe('The block of the document that it is about, where that is known.'),
    liquid: z.string().nullable().describe('The piece of Liquid in that block that it is about.'),
  })
  .meta({ id: 'TemplateFinding' });
export type Finding = z.output<typeof finding>;

/** What is said of what somebody writes, in a preview and when it is saved. */
const findings = {
  problems: z.array(finding).describe('Why it cannot be filled. It can be stored, and not sent.'),
  warnings: z.array(finding).describe('What a careful sender would look at again.'),
};
const savedTemplate = template.extend(findings).meta({ id: 'SavedTemplate' });
export type SavedTemplate = z.output<typeof savedTemplate>;

const tag = 'Templates';
const read = access.member('viewer', 'templates:read');
const write = access.member('editor', 'templates:write');

/** A body of 1 MB of HTML and its text takes more as JSON. */
const bodyMegabytes = 4;

export const listTemplates = endpoint({
  method: 'GET',
  path: '/api/templates',
  access: read,
  summary: 'Templates, newest first.',
  tag,
  query: z.object({
    search: z.string().trim().max(320).optional().describe('Part of the name or the description.'),
    category: z.enum(templateCategories).optional(),
    content: flag
      .default(true)
      .describe(
        `false leaves out \`htmlContent\`, \`textContent\`, \`mjml\` and \`document\`. With them, \`limit\` is at most ${mostWithContent}.`,
      ),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(100).default(20),
    cursor: cursorField,
  }),
  response: walkedItemsOf(
    template.partial({ mjml: true, document: true, htmlContent: true, textContent: true }),
  ),
});

export const createTemplate = endpoint({
  method: 'POST',
  path: '/api/templates',
  access: write,
  summary:
    'Create a template from HTML, from MJML or from a document of the visual editor. ' +
    'The server makes the HTML of the last two. With an error in MJML, 400 names its line. ' +
    'What cannot be filled, as with a filter that does not exist, is stored: `problems` says what and where.',
  tag,
  limits: `A workspace has at most ${formatNumber(mostTemplates)} templates.`,
  bodyMegabytes,
  body: z
    .strictObject({
      name,
      description: description.optional(),
      category,
      mode: z.enum(templateModes).optional().describe('Absent: after what is sent.'),
      htmlContent: htmlContent.nullish(),
      mjml: mjml.nullish(),
      document: document.nullish(),
      textContent: textContent.optional(),
    })
    .superRefine((body, context) => refuseMixed(body, context, true), alsoBesideOthers),
  response: savedTemplate,
  status: 201,
});

export const getTemplate = endpoint({
  method: 'GET',
  path: '/api/templates/:id',
  access: read,
  summary: 'One template.',
  tag,
  params: idParams,
  response: template,
});

export const changeTemplate = endpoint({
  method: 'PATCH',
  path: '/api/templates/:id',
  access: write,
  summary:
    'Change a template. What is left out stays. Each change is a new version. ' +
    'Content of another mode takes its `mode`. A `mode` alone turns what is stored into it, as `/api/templates/switch` does. ' +
    'With `version`, 409 `changed_meanwhile` when somebody has changed it since. ' +
    `With \`autosave\`, saves of the same person within ${joinMinutes} minutes are kept as one version, the newest of them, ` +
    'unless something else was saved between them or the older one was used. ' +
    '`problems` and `warnings` are about the template as it is then.',
  tag,
  params: idParams,
  bodyMegabytes,
  body: z
    .strictObject({
      name: name.optional(),
      description: description.optional(),
      category: category.optional(),
      mode: z.enum(templateModes).optional(),
      htmlContent: htmlContent.nullish(),
      mjml: mjml.nullish(),
      document: document.nullish(),
      textContent: textContent.optional(),
      version: versionSeen,
      autosave: z
        .boolean()
        .optional()
        .describe('A program saves while somebody writes. Absent or false: somebody asked for it.'),
    })
    .refine(
      ({ version, autosave, ...fields }) => Object.values(fields).some((value) => value !== undefined),
      {
        error: 'Send a name, description, category, mode, htmlContent, mjml, document or textContent.',
      },
    )
    .superRefine((body, context) => refuseMixed(body, context, false)),
  response: savedTemplate,
});

export const deleteTemplate = endpoint({
  method: 'DELETE',
  path: '/api/templates/:id',
  access: write,
  summary: 'Delete a template. It can be restored for 30 days.',
  tag,
  params: idParams,
  response: z.object({ deleted: z.literal(1) }),
});

export const restoreTemplate = endpoint({
  method: 'POST',
  path: '/api/templates/:id/restore',
  access: write,
  summary: 'Bring back a template that was deleted less than 30 days ago.',
  tag,
  params: idParams,
  response: template,
});

export const duplicateTemplate = endpoint({
  method: 'POST',
  path: '/api/templates/:id/duplicate',
  access: write,
  summary: 'Make a template with the same content, named “… (copy)”.',
  tag,
  params: idParams,
  response: template,
  status: 201,
});

const templateVersion = z.object({
  version: z.number().int(),
  name: z.string(),
  isCurrent: z.boolean(),
  isAutomatic: z
    .boolean()
    .describe('Nobody asked for it: it holds what was saved while somebody wrote, and the last of that.'),
  restoredFrom: z.number().int().nullable().describe('The older version that was brought back with it.'),
  savedAt: z.iso.datetime(),
  savedBy: z.string().nullable(),
  htmlBytes: z.number().int(),
});
export type TemplateVersion = z.output<typeof templateVersion>;

export const listTemplateVersions = endpoint({
  method: 'GET',
  path: '/api/templates/:id/versions',
  access: read,
  summary: `The versions of a template, newest first. The newest ${mostVersions} are kept.`,
  tag,
  params: idParams,
  response: z.object({ items: z.array(templateVersion) }),
});

const versionParams = idParams.extend({
  version: z.coerce
    .number()
    .int()
    .positive()
    .max(2_147_483_647)
    .describe('The number of a save that was joined with later ones means the version that holds them.'),
});

export const latestTemplateVersion = endpoint({
  method: 'GET',
  path: '/api/templates/:id/latest',
  access: read,
  summary: 'Which version of a template is the current one, and who saved it when.',
  tag,
  params: idParams,
  response: latestVersion,
});

export const getTemplateVersion = endpoint({
  method: 'GET',
  path: '/api/templates/:id/versions/:version',
  access: read,
  summary: 'A template as it was in a version.',
  tag,
  params: versionParams,
  response: template,
});

export const restoreTemplateVersion = endpoint({
  method: 'POST',
  path: '/api/templates/:id/versions/:version/restore',
  access: write,
  summary:
    'Go back to a version. That makes a new version with its content, so nothing is lost. ' +
    'With `version` in the body, 409 `changed_meanwhile` when somebody has changed the template since.',
  tag,
  params: versionParams,
  body: z.strictObject({ version: versionSeen }),
  response: template,
});

const previewedLine = z.string().max(1_000).optional().describe('Filled like the rest. Absent: empty.');

export const previewTemplate = endpoint({
  method: 'POST',
  path: '/api/templates/preview',
  access: read,
  summary:
    'Fill a template, stored or not, for a contact or with sample values, and say what is wrong with it. ' +
    'With an API key, a contact takes the scope `contacts:read` too.',
  tag,
  bodyMegabytes,
  writesLittle: true,
  body: z
    .strictObject({
      htmlContent: previewedHtml.nullish(),
      mjml: mjml.nullish(),
      document: document.nullish(),
      textContent: textContent.optional(),
      subject: previewedLine,
      preheader: previewedLine,
      contactId: z.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
    })
    .superRefine((body, context) => refuseMixed(body, context, true)),
  response: z.object({
    subject: z.string(),
    preheader: z.string(),
    html: z.string(),
    text: z.string(),
    textSource: z.string().describe('The text before it is filled, with its merge fields.'),
    isTextMade: z.boolean().describe('The text is made from the HTML.'),
    sampled: z
      .array(z.enum(sampledFields))
      .describe('What it says of its sender and the settings do not, so that a sample stands there.'),
    ...findings,
    problems: z
      .array(finding)
      .describe(
        'Why it cannot be filled, and for MJML, why it cannot be saved. `html` and `text` are then as they were written.',
      ),
    contact: z
      .object({ id: z.number().int(), address: z.string(), name: z.string().nullable() })
      .nullable()
      .describe('For whom it was filled. Null: with sample values.'),
  }),
  fails: ['not_found'],
});
export type TemplatePreview = z.output<typeof previewTemplate.response>;

export const showTemplate = endpoint({
  method: 'GET',
  path: '/api/templates/:id/page',
  access: read,
  summary:
    'A template as a page for a frame, filled for a contact or with sample values, under a policy in which nothing can run. ' +
    'With an API key, a contact takes the scope `contacts:read` too.',
  tag,
  params: idParams,
  query: z.object({
    version: z.coerce
      .number()
      .int()
      .positive()
      .max(2_147_483_647)
      .optional()
      .describe('Absent: the current one.'),
    contact: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
    dark: flag.default(false).describe('As mail programs with dark colours show it.'),
  }),
  response: raw('text/html'),
});
