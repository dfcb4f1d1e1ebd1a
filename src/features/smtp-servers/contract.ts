import { z } from 'zod';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';

/** More than anybody spreads messages over. */
export const mostServers = 20;
/** Tests in an hour, for a workspace. */
export const testsAnHour = 60;

const oneLine = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, { error: 'Write this in one line, without control characters.' });

const connection = {
  host: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .regex(
      /^([a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*|[0-9a-f:.]*:[0-9a-f:.]*)$/,
      {
        error: 'Write a host name such as smtp.acme.co.uk.',
      },
    )
    .describe('A host name or an IP address on the public internet.'),
  port: z.number().int().min(1).max(65_535),
  tls: z
    .enum(['starttls', 'implicit', 'none'])
    .describe(
      '`starttls`: encrypted or not at all, usual at 587. `implicit`: from the first byte, usual at 465.',
    ),
  username: oneLine(320).trim().describe('Empty: without signing in.'),
};
const password = oneLine(1_000).describe('It is never given back.');

const limit = (most: number) => z.number().int().min(1).max(most).nullable();

const written = {
  name: oneLine(100).trim().min(1, { error: 'Give the server a name.' }),
  ...connection,
  weight: z
    .number()
    .int()
    .min(1)
    .max(100)
    .describe('Its share of the messages. With weights 3 and 1, the first server gets three of four.'),
  isFallback: z.boolean().describe('Used only while none of the others can be.'),
  perHour: limit(1_000_000).describe('The most messages in an hour. Null: no limit.'),
  perMinute: limit(100_000).describe('The most messages in a minute. Null: no limit.'),
  isActive: z.boolean(),
};

const smtpServer = z
  .object({
    id: z.number().int(),
    ...written,
    host: z.string(),
    hasPassword: z.boolean(),
    lastTest: z
      .object({ at: z.iso.datetime(), ok: z.boolean(), answer: z.string() })
      .nullable()
      .describe('Since its connection was last changed.'),
    trouble: z
      .object({ at: z.iso.datetime(), words: z.string() })
      .nullable()
      .describe('Why messages could not leave through it when they last tried.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'SmtpServer' });
export type ShownServer = z.output<typeof smtpServer>;

const sendMessage = z
  .boolean()
  .describe('Also send a message to your own address, as far as the server takes it.');
const testAnswer = z.object({
  ok: z.boolean(),
  answer: z.string().describe('What came of it, in words.'),
});

const tag = 'Sending';
const admin = access.member('admin');

export const listSmtpServers = endpoint({
  method: 'GET',
  path: '/api/smtp-servers',
  access: admin,
  summary: 'The SMTP servers of this workspace. While one is active, its messages leave through them alone.',
  tag,
  response: z.object({
    items: z.array(smtpServer),
    allowsPrivate: z.boolean().describe('Whether hosts off the public internet may be used.'),
  }),
});

export const addSmtpServer = endpoint({
  method: 'POST',
  path: '/api/smtp-servers',
  access: admin,
  summary: 'Add an SMTP server to send through.',
  tag,
  limits: `A workspace has at most ${mostServers} SMTP servers.`,
  body: z.strictObject({
    ...written,
    username: written.username.default(''),
    weight: written.weight.default(1),
    isFallback: written.isFallback.default(false),
    perHour: written.perHour.default(null),
    perMinute: written.perMinute.default(null),
    isActive: written.isActive.default(true),
    password: password.default(''),
  }),
  response: smtpServer,
  status: 201,
});

export const changeSmtpServer = endpoint({
  method: 'PATCH',
  path: '/api/smtp-servers/:id',
  access: admin,
  summary:
    'Change an SMTP server. What is left out stays. Another host or user name takes the password again.',
  tag,
  params: idParams,
  body: z
    .strictObject({ ...written, password })
    .partial()
    .refine((given) => Object.keys(given).length > 0, { error: 'Say what to change.' }),
  response: smtpServer,
});

export const deleteSmtpServer = endpoint({
  method: 'DELETE',
  path: '/api/smtp-servers/:id',
  access: admin,
  summary: 'Remove an SMTP server with its password.',
  tag,
  params: idParams,
  response: z.object({ deleted: z.literal(1) }),
});

export const testSmtpServer = endpoint({
  method: 'POST',
  path: '/api/smtp-servers/:id/test',
  access: admin,
  summary: 'Connect to an SMTP server and sign in, and say what it answers. Takes up to ten seconds.',
  tag,
  limits: `At most ${testsAnHour} tests an hour in a workspace.`,
  params: idParams,
  body: z.strictObject({ sendMessage: sendMessage.default(false) }),
  response: testAnswer,
});

export const tryServer = endpoint({
  method: 'POST',
  path: '/api/smtp-servers/test',
  access: admin,
  summary: 'The same with values that are not saved.',
  tag,
  fails: ['not_found'],
  limits: `At most ${testsAnHour} tests an hour in a workspace.`,
  body: z.strictObject({
    ...connection,
    username: connection.username.default(''),
    password: password.optional(),
    id: z
      .number()
      .int()
      .positive()
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe(
        'The id of a saved server. Its password is taken if none is given and host and user are the same.',
      ),
    sendMessage: sendMessage.default(false),
  }),
  response: testAnswer,
});
