import { z } from 'zod';
import {
  access,
  cursorField,
  endpoint,
  idParams,
  multipart,
  raw,
  walkedItemsOf,
} from '#platform/shared/contract.ts';
import { formatNumber } from '#platform/shared/words.ts';
import { contentTypes } from './rules/address.ts';
import {
  deletedDays,
  longestAlt,
  longestName,
  mostImages,
  mostMegabytes,
  sentYears,
  widest,
} from './rules/limits.ts';

const oneLine = /^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u;

export const imageName = z
  .string({ error: 'Image name is required' })
  .trim()
  .min(1, 'Image name is required')
  .max(longestName, `The name of an image has at most ${longestName} characters.`)
  .regex(oneLine, 'A name is one line of plain text.');

export const imageAlt = z
  .string()
  .trim()
  .max(longestAlt, `An alternative text has at most ${longestAlt} characters.`)
  .regex(oneLine, 'An alternative text is one line of plain text.')
  .describe('What the image shows, for those who do not see it. Empty: it only decorates.');

/** A picture for emails. */
export const image = z.object({
  id: z.number().int(),
  name: z.string(),
  alt: imageAlt.nullable().describe('What it shows. Empty: it only decorates. Null: nobody has said yet.'),
  url: z.string().describe('Where anybody can see it, also without signing in.'),
  width: z.number().int().describe('Pixels.'),
  height: z.number().int().describe('Pixels.'),
  bytes: z.number().int(),
  isAnimated: z.boolean(),
  keptUntil: z.iso
    .datetime()
    .nullable()
    .describe(
      'Emails that were sent show it, so its file stays until then, deleted or not. Null: none does.',
    ),
  createdBy: z.string().nullable().describe('The address of the person, or the API key.'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Image = z.output<typeof image>;

const uses = z
  .array(z.object({ kind: z.string(), id: z.number().int(), name: z.string() }))
  .describe('What shows it now: templates and campaigns.');
export type ImageUse = z.output<typeof uses>[number];

const tag = 'Images';
const read = access.member('viewer', 'images:read');
const write = access.member('editor', 'images:write');

export const listImages = endpoint({
  method: 'GET',
  path: '/api/images',
  access: read,
  summary: 'Images for emails, newest first.',
  tag,
  query: z.object({
    search: z.string().trim().max(320).optional().describe('Part of the name or of the alternative text.'),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(100).default(24),
    cursor: cursorField,
  }),
  response: walkedItemsOf(image).extend({
    usedBytes: z
      .number()
      .int()
      .describe('What all images of the workspace take up. Deleted ones do not count.'),
    mostBytes: z.number().int().describe('What they may take up.'),
  }),
});

export const uploadImage = endpoint({
  method: 'POST',
  path: '/api/images',
  access: write,
  summary:
    `Upload a PNG, JPEG, GIF or WebP image. It is drawn anew, upright, at most ${formatNumber(widest)} pixels wide and without what ` +
    'cameras write into it; WebP becomes JPEG, PNG or GIF, which every mail program shows. ' +
    'The same file again gives the image that is there, also when it was deleted.',
  tag,
  body: multipart({
    name: 'Absent: the name of the file.',
    alt: 'What it shows, for those who do not see it. Empty: it only decorates. Absent: nobody has said.',
    file: 'The image. What it is follows from its content, not from its name.',
  }),
  response: image,
  status: 201,
  fails: ['upload_cut_off', 'timeout', 'unavailable', 'insufficient_storage'],
  limits:
    `A file has at most ${mostMegabytes} MB and 50 million pixels, all frames together. A workspace has at most ` +
    `${formatNumber(mostImages)} images and 1 GB; deleted ones do not count until they take up as much again. ` +
    'One person has at most a dozen uploads waiting for their turn; the next is answered 503 with `Retry-After`.',
});

export const getImage = endpoint({
  method: 'GET',
  path: '/api/images/:id',
  access: read,
  summary: 'One image, with what uses it.',
  tag,
  params: idParams,
  response: image.extend({ usedBy: uses }),
});

export const changeImage = endpoint({
  method: 'PATCH',
  path: '/api/images/:id',
  access: write,
  summary: 'Rename an image, or say what it shows. What is left out stays.',
  tag,
  params: idParams,
  body: z.strictObject({ name: imageName.optional(), alt: imageAlt.optional() }),
  response: image,
});

export const deleteImage = endpoint({
  method: 'DELETE',
  path: '/api/images/:id',
  access: write,
  summary:
    `Delete an image. It can be restored for ${deletedDays} days, and its address answers meanwhile. ` +
    'What a template, one of its versions or a campaign shows is kept for as long as it does, and what ' +
    `an email that was sent shows for ${sentYears} years.`,
  tag,
  params: idParams,
  response: z.object({ deleted: z.literal(1), usedBy: uses }),
});

export const restoreImage = endpoint({
  method: 'POST',
  path: '/api/images/:id/restore',
  access: write,
  summary: `Restore an image that was deleted less than ${deletedDays} days ago.`,
  tag,
  params: idParams,
  response: image,
});

export const showImage = endpoint({
  method: 'GET',
  path: '/i/:file',
  access: access.public,
  isUnguarded: true,
  fails: ['unavailable'],
  summary: 'An image, as mail programs fetch it. What is at an address never changes.',
  tag,
  params: z.object({ file: z.string().max(256) }),
  response: raw(...Object.values(contentTypes)),
});
