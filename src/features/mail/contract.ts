import { z } from 'zod';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';

export const mailKinds = ['invitation', 'password_reset', 'email_proof', 'notice', 'test'] as const;
export type MailKind = (typeof mailKinds)[number];
export const mailStatuses = ['kept', 'waiting', 'sent', 'failed'] as const;

export const mail = z.object({
  id: z.number().int(),
  kind: z.enum(mailKinds),
  to: z.string(),
  subject: z.string(),
  text: z
    .string()
    .nullable()
    .describe(
      'Null once the mail has left, while a mail server is to take a mail about an account, and of an invitation to a role that the reader may not give.',
    ),
  html: z
    .string()
    .nullable()
    .describe('How a test of an email looks; null of other mail, and where the text is.'),
  link: z.string().nullable().describe("Where the mail's button leads; null where the text is."),
  status: z
    .enum(mailStatuses)
    .describe(
      '`kept`: there is no mail server. `waiting`: not taken yet by the mail server, or tried again later.',
    ),
  attempts: z.number().int(),
  error: z.string().nullable().describe('What the mail server last said.'),
  createdAt: z.iso.datetime(),
  nextTryAt: z.iso.datetime().nullable(),
  sentAt: z.iso.datetime().nullable(),
});
export type Mail = z.output<typeof mail>;

const page = z.object({
  before: z.coerce.number().int().positive().optional().describe('The id after which to go on.'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const outbox = z.object({
  items: z.array(mail).describe('Newest first.'),
  next: z.number().int().nullable().describe('To be given as `before` for the next page; null at the end.'),
  hasMailServer: z.boolean(),
});
export type Outbox = z.output<typeof outbox>;

const tag = 'Mail';

export const listOutbox = endpoint({
  method: 'GET',
  path: '/api/outbox',
  access: access.member('admin'),
  summary:
    "The mail written in the workspace's name, such as invitations: what is kept, waiting, sent or failed.",
  tag,
  query: page,
  response: outbox,
});

export const listAllMail = endpoint({
  method: 'GET',
  path: '/api/admin/outbox',
  access: access.admin,
  summary: 'All mail of the installation, mail about accounts included.',
  tag,
  query: page,
  response: outbox,
});

export const sendMailAgain = endpoint({
  method: 'POST',
  path: '/api/outbox/:id/send',
  access: access.member('admin'),
  summary:
    'Have a mail of the workspace that failed to leave tried once more. Refused while it waits or is being sent, and once it was sent.',
  tag,
  params: idParams,
  response: mail,
});

export const sendAnyMailAgain = endpoint({
  method: 'POST',
  path: '/api/admin/outbox/:id/send',
  access: access.admin,
  summary: 'The same for all mail of the installation.',
  tag,
  params: idParams,
  response: mail,
});
