import { z } from 'zod';
import { access, cursorField, endpoint, idParams, walkedItemsOf } from '#platform/shared/contract.ts';

/** What somebody makes of a mail that came back. */
export const mailReadings = ['hard', 'soft', 'complaint', 'no_bounce'] as const;
export type MailReading = (typeof mailReadings)[number];

const bounceMail = z.object({
  id: z.number().int(),
  from: z.string().describe('Who wrote it. Empty where a mail server named nobody.'),
  subject: z.string(),
  text: z.string().describe('The beginning of what it says.'),
  to: z.string().nullable().describe('Whose message came back. Null when nobody knows any more.'),
  contactId: z.number().int().nullable(),
  mailing: z.string().nullable().describe('The campaign that the message was of.'),
  receivedAt: z.iso.datetime(),
  readAs: z.enum(mailReadings).nullable().describe('Null: nobody has read it.'),
  readBy: z.string().nullable(),
});
export type BounceMail = z.output<typeof bounceMail>;

const tag = 'Bounces';
const read = access.member('viewer', 'suppressions:read');

export const listBounceMails = endpoint({
  method: 'GET',
  path: '/api/bounces/mails',
  access: read,
  summary: 'Mails that came back to messages and that the product could not read, newest first.',
  tag,
  query: z.object({
    state: z.enum(['open', 'read']).default('open'),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: cursorField,
  }),
  response: walkedItemsOf(bounceMail),
});

export const showBounceMail = endpoint({
  method: 'GET',
  path: '/api/bounces/mails/:id',
  access: read,
  summary: 'One of them, with the beginning of its source.',
  tag,
  params: idParams,
  response: bounceMail.extend({ source: z.string() }),
});

export const readBounceMail = endpoint({
  method: 'POST',
  path: '/api/bounces/mails/:id/read',
  access: access.member('editor', 'suppressions:write'),
  summary: 'Says what it means. A hard bounce and a complaint suppress the address. It can be said once.',
  tag,
  params: idParams,
  body: z.strictObject({ as: z.enum(mailReadings) }),
  response: bounceMail,
  fails: ['conflict'],
});

export * from './contract/webhooks.ts';
