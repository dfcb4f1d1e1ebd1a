import { z } from 'zod';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';
import { blockTypes } from '../rules/document/block-names.ts';
import { block, brand } from '../rules/document/schema.ts';

/** More than anybody can tell apart. */
export const mostBlocksKept = 200;
const longestBlockName = 120;
const largestBlock = 100_000;

const tag = 'Templates';
const read = access.member('viewer', 'templates:read');
const write = access.member('editor', 'templates:write');

const keptBrand = z.object({
  brand: brand.describe('What documents take where they say nothing themselves. Absent: as usual.'),
  company: z.string().describe('From the settings: the name in footers. Empty: none yet.'),
  postalAddress: z.string().describe('From the settings: the address in footers. Empty: none yet.'),
  updatedAt: z.iso.datetime().nullable(),
});
export type KeptBrand = z.output<typeof keptBrand>;

export const getBrand = endpoint({
  method: 'GET',
  path: '/api/templates/brand',
  access: read,
  summary: "How the workspace's messages look: colours, font, corner, logo.",
  tag,
  response: keptBrand,
});

export const putBrand = endpoint({
  method: 'PUT',
  path: '/api/templates/brand',
  access: write,
  summary:
    'Say how messages look. What is left out is as usual. ' +
    'A document that is sent without a look takes it, and then keeps it until the brand is applied to all.',
  tag,
  body: brand,
  response: keptBrand,
});

/** Templates that one call gives the brand to. */
export const templatesAtOnce = 20;

export const applyBrand = endpoint({
  method: 'POST',
  path: '/api/templates/brand/apply',
  access: write,
  summary:
    'Give the templates that are written in blocks the look and the logo of the brand, each as a new version. ' +
    'Call it again with `next` until that is null.',
  tag,
  limits: `A call takes up to ${templatesAtOnce} templates.`,
  body: z.strictObject({
    after: z
      .number()
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .default(0)
      .describe('Templates with higher numbers. Absent: from the first.'),
  }),
  response: z.object({
    changed: z.number().int(),
    unchanged: z.number().int().describe('They had this look and logo.'),
    skipped: z.number().int().describe('Somebody changed them meanwhile, or they became too large.'),
    next: z.number().int().nullable().describe('Where to go on. Null: all are done.'),
  }),
});

const blockSummary = z.object({
  id: z.number().int(),
  name: z.string(),
  type: z.enum(blockTypes).describe('The kind of block.'),
  savedAt: z.iso.datetime(),
  savedBy: z.string().nullable().describe('Null when the person is not there any more.'),
});
const keptBlock = blockSummary.extend({ block });
export type BlockSummary = z.output<typeof blockSummary>;
export type KeptBlock = z.output<typeof keptBlock>;

export const listBlocks = endpoint({
  method: 'GET',
  path: '/api/templates/blocks',
  access: read,
  summary: 'Blocks that the workspace keeps for its documents, by name, without what is in them.',
  tag,
  response: z.object({ items: z.array(blockSummary) }),
});

export const getBlock = endpoint({
  method: 'GET',
  path: '/api/templates/blocks/:id',
  access: read,
  summary: 'One block that the workspace keeps.',
  tag,
  params: idParams,
  response: keptBlock,
});

export const keepBlock = endpoint({
  method: 'POST',
  path: '/api/templates/blocks',
  access: write,
  summary: 'Keep a block of a document for other documents.',
  tag,
  limits: `A workspace keeps at most ${mostBlocksKept} blocks, each of at most 100 kB.`,
  body: z.strictObject({
    name: z
      .string({ error: 'Block name is required' })
      .trim()
      .min(1, 'Block name is required')
      .max(longestBlockName, `The name of a block has at most ${longestBlockName} characters.`)
      .regex(/^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u, 'A name is one line of plain text.'),
    block: block.refine(
      (given) => JSON.stringify(given).length <= largestBlock,
      'The block is larger than 100 kB. Take something out of it.',
    ),
  }),
  response: keptBlock,
  status: 201,
});

export const forgetBlock = endpoint({
  method: 'DELETE',
  path: '/api/templates/blocks/:id',
  access: write,
  summary: 'Keep a block no longer. Documents that hold it stay as they are.',
  tag,
  params: idParams,
  response: z.object({ deleted: z.literal(1) }),
});
