import { z } from 'zod';
import { isSenderAddress, notSenderAddress } from '#features/addresses/rules/sender-address.ts';
import {
  access,
  cursorField,
  endpoint,
  idParams,
  jsonValue,
  walkedItemsOf,
} from '#platform/shared/contract.ts';

/** In one call. */
export const mostRecipients = 1_000;
/** Characters of HTML, and of the text part. */
const mostContent = 1_000_000;
/** Characters of one recipient's merge data, as JSON. */
export const mostData = 20_000;

const oneLine = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, { error: 'Write this in one line, without control characters.' });

/** Nothing is the same as absent: as the settings say. */
const addressOrNothing = oneLine(254).refine((text) => text === '' || isSenderAddress(text), {
  error: notSenderAddress,
});

const data = z
  .record(z.string().max(100), jsonValue)
  .refine((given) => JSON.stringify(given).length <= mostData, {
    error: `Merge data has at most ${mostData} characters.`,
  });

const recipient = z.strictObject({
  email: z.string().max(320),
  name: oneLine(200).optional(),
  data: data.optional().describe('Merge fields of this recipient, over those of the call.'),
});
const oneOf = z.union([
  z
    .string()
    .max(320)
    .transform((email) => ({ email })),
  recipient,
]);

/** Where a message stands, as in the ledger of campaigns. */
export const messageStates = ['pending', 'sent', 'deferred', 'failed', 'skipped', 'uncertain'] as const;
export type MessageState = (typeof messageStates)[number];

const sentMessage = z.object({
  id: z.number().int(),
  batch: z.number().int().describe('The call that it came with.'),
  to: z.string(),
  subject: z.string(),
  state: z.enum(messageStates).describe('`sent`: a mail server took it.'),
  reason: z.string().nullable().describe('Why it is so, in words.'),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable().describe('When the last answer was in.'),
});
export type SentMessage = z.output<typeof sentMessage>;

const tag = 'Transactional';
const read = access.member('viewer', 'campaigns:read', 'contacts:read');
/** What is in a message may be a link that lets its reader in. */
export const readsContent = { role: 'editor', scope: 'send' } as const;

export const sendMessages = endpoint({
  method: 'POST',
  path: '/api/send',
  access: access.member('sender', 'send'),
  summary:
    'Send messages that somebody waits for: receipts, resets, notices. They leave before campaigns. Addresses that ' +
    'bounced or complained get none; whoever unsubscribed from marketing does. Send an `Idempotency-Key`, so that a ' +
    'call that is made twice sends once.',
  tag,
  body: z
    .strictObject({
      to: z
        .union([oneOf.transform((one) => [one]), z.array(oneOf).min(1).max(mostRecipients)])
        .describe(
          'An address, `{email, name, data}`, or up to 1,000 of them. Each gets a message of its own.',
        ),
      templateId: z.number().int().positive().optional(),
      subject: oneLine(300).min(1, 'Subject is required').describe('May have merge fields.'),
      html: z.string().max(mostContent).optional().describe('Not with a template.'),
      text: z.string().max(mostContent).optional().describe('Absent: made from the HTML.'),
      data: data.optional().describe('Merge fields of all recipients.'),
      fromName: oneLine(100).optional().describe('Absent: the default sender. So are the next two.'),
      fromAddress: addressOrNothing.optional(),
      replyTo: addressOrNothing.optional(),
      trackOpens: z.boolean().default(false),
      trackClicks: z.boolean().default(false),
    })
    .refine(
      ({ templateId, html, text }) =>
        (templateId === undefined) !== (html === undefined && text === undefined),
      {
        error: 'Send either a templateId, or html or text.',
        path: ['html'],
      },
    ),
  response: z.object({
    batch: z.number().int(),
    messages: z
      .array(
        z.object({
          id: z.number().int(),
          to: z.string(),
          status: z.enum(['queued', 'suppressed']),
          reason: z
            .string()
            .nullable()
            .describe('Why it is suppressed: `bounced`, `complained` or `erased`. Null when it is queued.'),
        }),
      )
      .describe('In the order of `to`.'),
  }),
  status: 202,
  fails: ['not_found'],
  limits: `At most ${mostRecipients} recipients in a call.`,
  bodyMegabytes: 8,
});

export const listSent = endpoint({
  method: 'GET',
  path: '/api/send',
  access: read,
  summary: 'Transactional messages, newest first, with where each stands.',
  tag,
  query: z.object({
    search: z.string().trim().max(320).optional().describe('The beginning of an address.'),
    state: z.enum(messageStates).optional(),
    batch: z.coerce.number().int().positive().optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: cursorField,
  }),
  response: walkedItemsOf(sentMessage),
});

export const showSent = endpoint({
  method: 'GET',
  path: '/api/send/:id',
  access: read,
  summary:
    'One transactional message as its reader sees it, and where it stands. What is in it is for editors, and for API ' +
    'keys with the scope `send` too.',
  tag,
  params: idParams,
  response: sentMessage.extend({
    html: z
      .string()
      .nullable()
      .describe('Null when it cannot be shown any more, and for whoever may not read what is in it.'),
    reply: z.string().nullable().describe('What the mail server said.'),
    attempts: z.number().int(),
  }),
});
