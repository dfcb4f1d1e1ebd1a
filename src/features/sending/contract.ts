import { z } from 'zod';
import { access, cursorField, endpoint, idParams, raw, walkedItemsOf } from '#platform/shared/contract.ts';

/** A message that was kept because no mail server is set. */
export const keptMessage = z.object({
  id: z.number().int(),
  to: z.string(),
  subject: z.string(),
  mailing: z.string().describe('Its campaign.'),
  createdAt: z.iso.datetime(),
});
export type KeptMessage = z.output<typeof keptMessage>;

const tag = 'Outbox';
const read = access.member('viewer', 'campaigns:read', 'contacts:read');
/** What is in a message may be a link that lets its reader in. */
export const contentRole = 'editor';
const readContent = access.member(contentRole, 'campaigns:read', 'contacts:read');
const keysNeed =
  'With an API key, a message of a campaign takes the scope `campaigns:send` too, a transactional one `send`.';

export const listKeptMessages = endpoint({
  method: 'GET',
  path: '/api/outbox/messages',
  access: read,
  summary: 'Messages of campaigns that were kept because no mail server is set, newest first.',
  tag,
  query: z.object({
    search: z.string().trim().max(320).optional().describe('The beginning of an address.'),
    mailingId: z.coerce
      .number()
      .int()
      .positive()
      .optional()
      .describe('Only those of one campaign: its `keptMailingId`.'),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: cursorField,
  }),
  response: walkedItemsOf(keptMessage).extend({
    hasMailServer: z.boolean().describe('Whether messages leave. Then none is kept any more.'),
  }),
});

export const showKeptMessage = endpoint({
  method: 'GET',
  path: '/api/outbox/messages/:id',
  access: readContent,
  summary: `One kept message as its reader would see it. ${keysNeed}`,
  tag,
  params: idParams,
  response: keptMessage.extend({
    html: z.string(),
    text: z.string(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
});

export const downloadKeptMessage = endpoint({
  method: 'GET',
  path: '/api/outbox/messages/:id/source',
  access: readContent,
  summary: `The whole message, as a mail server would get it. ${keysNeed}`,
  tag,
  params: idParams,
  response: raw('message/rfc822'),
});
