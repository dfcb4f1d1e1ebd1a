import { z } from 'zod';
import { access, endpoint, raw } from '#platform/shared/contract.ts';
import { providers } from '../rules/providers/providers.ts';

const bounceWebhook = z.object({
  provider: z.enum(providers),
  name: z.string(),
  isOn: z.boolean(),
  url: z.string().describe('What to paste at the service. Whoever knows it may call: keep it to yourself.'),
  hasSecret: z.boolean(),
  topic: z.string().nullable().describe('The topic of SNS that was confirmed, for Amazon SES alone.'),
  lastCallAt: z.iso.datetime().nullable(),
  events: z.number().int().describe('Bounces and complaints that it has told of.'),
  found: z.number().int().describe('Those that were about messages of this workspace.'),
});
export type BounceWebhook = z.output<typeof bounceWebhook>;

const tag = 'Bounces';
const params = z.object({ provider: z.enum(providers) });
const response = z.object({ items: z.array(bounceWebhook) });
// No scope: an address is a secret, and API keys are not to learn it.
const admin = access.member('admin');

export const listBounceWebhooks = endpoint({
  method: 'GET',
  path: '/api/bounces/webhooks',
  access: admin,
  summary: 'The email services that can tell of bounces and complaints, and the address for each.',
  tag,
  response,
});

export const setBounceWebhook = endpoint({
  method: 'PUT',
  path: '/api/bounces/webhooks/:provider',
  access: admin,
  summary: 'Let a service call, or change what proves its calls.',
  tag,
  params,
  body: z.strictObject({
    secret: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .nullable()
      .optional()
      .describe('Kept encrypted and never shown. Null removes it; without it, it stays.'),
  }),
  response,
});

export const deleteBounceWebhook = endpoint({
  method: 'DELETE',
  path: '/api/bounces/webhooks/:provider',
  access: admin,
  summary: 'Let a service call no more. Its address stops working for good; the next one is another.',
  tag,
  params,
  response,
});

export const takeBounceWebhook = endpoint({
  method: 'POST',
  path: '/api/bounces/webhooks/:provider/:key',
  access: access.public,
  forStrangers: true,
  summary:
    'For the service: what it tells of bounces and complaints, as it writes it. A call is refused unless its signature or ' +
    'password is right and fresh. The same call again changes nothing.',
  tag,
  params: params.extend({ key: z.string().max(100).describe('Signed: nobody can guess one.') }),
  response: raw('application/json'),
  fails: ['forbidden'],
});
