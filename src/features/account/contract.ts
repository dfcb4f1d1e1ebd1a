import { z } from 'zod';
import { ownPassword } from '#features/sign-in/contract.ts';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';

/** The caller's own account: name, address, sessions, second factor. */

const tag = 'Account';
const email = z.string().trim().toLowerCase().pipe(z.email('Please enter an email address.').max(254));
const password = z.string().max(200);
const secret = z.string().min(20).max(100);
const done = z.object({ done: z.literal(true) });

const mailed = z.object({
  to: z.string(),
  mailed: z.boolean().describe('False where there is no mail server: the link is in the outbox then.'),
});

export const account = z.object({
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  createdAt: z.iso.datetime(),
  twoFactor: z.object({
    on: z.boolean(),
    recoveryCodesLeft: z.number().int().nullable().describe('Null while it is off.'),
  }),
  signIn: z.object({
    password: z
      .enum(['set', 'none', 'off'])
      .describe('`none`: no password yet. `off`: people come in through the identity provider alone.'),
    provider: z
      .object({
        name: z.string().describe('What people know it by.'),
        connected: z.boolean().describe('Whether one signs in through it.'),
      })
      .nullable()
      .describe('Null where no identity provider is configured.'),
  }),
  hasMailServer: z.boolean(),
});
export type Account = z.output<typeof account>;

export const getAccount = endpoint({
  method: 'GET',
  path: '/api/account',
  access: access.user,
  summary: 'Your account.',
  tag,
  response: account,
});

export const changeName = endpoint({
  method: 'PATCH',
  path: '/api/account',
  access: access.user,
  summary: 'Change your own name.',
  tag,
  body: z.strictObject({ name: z.string() }),
  response: account,
});

export const changeEmail = endpoint({
  method: 'POST',
  path: '/api/account/email',
  access: access.user,
  summary:
    'Ask for another email address. It counts once the link sent there is opened. The present one is told at once.',
  tag,
  body: z.strictObject({ email, password: ownPassword }),
  response: mailed,
});

export const proveEmail = endpoint({
  method: 'POST',
  path: '/api/account/email/proof',
  access: access.user,
  summary: 'Send a link to your own address that proves it.',
  tag,
  response: mailed,
});

export const confirmEmail = endpoint({
  method: 'POST',
  path: '/api/auth/confirm-email',
  access: access.user,
  summary: 'Open the link of a mail that proves an address of your account. It works once.',
  tag,
  body: z.strictObject({ token: secret }),
  response: z.object({ email: z.string() }),
  fails: ['gone'],
});

export const session = z.object({
  id: z.number().int(),
  device: z.string().describe('Such as "Chrome on Windows".'),
  kind: z.enum(['desktop', 'phone', 'tablet', 'program']),
  address: z.string().nullable().describe('The network address it was opened from.'),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().describe('To within a few minutes.'),
  current: z.boolean(),
});
export type Session = z.output<typeof session>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/account/sessions',
  access: access.user,
  summary: 'Where one is signed in.',
  tag,
  response: z.array(session),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/account/sessions/:id',
  access: access.user,
  summary: 'End another of your own sessions at once.',
  tag,
  params: idParams,
  response: done,
  writesLittle: true,
});

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/api/account/sessions/end-others',
  access: access.user,
  summary: 'End every session but this one, and forget the devices that need no second factor.',
  tag,
  response: z.object({ ended: z.number().int() }),
  writesLittle: true,
});

const recoveryCodes = z.array(z.string()).describe('Each works once. Told here and never again.');

export const startTwoFactor = endpoint({
  method: 'POST',
  path: '/api/account/two-factor',
  access: access.user,
  summary: 'Begin to set up a second factor. It is on once the first code is confirmed.',
  tag,
  body: z.strictObject({ password }),
  response: z.object({
    uri: z.string().describe('For an authenticator app, usually as a QR code (otpauth://).'),
    secret: z.string().describe('The same for typing in.'),
    recoveryCodes,
  }),
});

export const confirmTwoFactor = endpoint({
  method: 'POST',
  path: '/api/account/two-factor/confirm',
  access: access.user,
  summary: "Turn the second factor on with the authenticator's first code.",
  tag,
  body: z.strictObject({ code: z.string().trim().max(20) }),
  response: done,
});

export const stopTwoFactor = endpoint({
  method: 'DELETE',
  path: '/api/account/two-factor',
  access: access.user,
  summary: 'Turn the second factor off.',
  tag,
  body: z.strictObject({ password }),
  response: done,
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/account/two-factor/recovery-codes',
  access: access.user,
  summary: 'Make new recovery codes. The old ones stop working.',
  tag,
  body: z.strictObject({ password }),
  response: z.object({ recoveryCodes }),
});
