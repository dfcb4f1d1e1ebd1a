import { z } from 'zod';
import { isSenderAddress, notSenderAddress } from '#features/addresses/rules/sender-address.ts';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';
import { selectors } from './rules/facts.ts';
import { keptDays } from './rules/keys.ts';

/** More than a business has. Each is read from DNS again and again. */
export const mostDomains = 50;
/** More than anybody can choose from. */
export const mostAddresses = 100;

export const checkNames = ['dkim', 'spf', 'dmarc', 'mx', 'return_path', 'tracking'] as const;
export type CheckName = (typeof checkNames)[number];

const domainStates = ['unchecked', 'ready', 'incomplete'] as const;

const check = z
  .object({
    name: z.enum(checkNames),
    result: z
      .enum(['pass', 'warning', 'fail', 'unknown'])
      .describe('`unknown`: not looked up yet, or no name server has answered.'),
    words: z.string(),
    found: z.array(z.string()).describe('The records that were read.'),
  })
  .meta({ id: 'SenderCheck' });
export type Check = z.output<typeof check>;

const record = z.object({
  purpose: z.enum(checkNames),
  selector: z.enum(selectors).nullable().describe('Which key it is about, if it is about one.'),
  host: z.string().describe('The whole name.'),
  shortHost: z.string().describe('The name as panels want it that add the registered domain themselves.'),
  type: z.enum(['TXT', 'CNAME', 'MX']),
  value: z.string(),
  strings: z
    .array(z.string())
    .describe('The strings of at most 255 bytes that make up the value of a TXT record.'),
  isOptional: z.boolean(),
  state: z.enum(['found', 'differs', 'missing', 'unknown']),
  words: z.string().describe('What it is for.'),
});
export type SenderRecord = z.output<typeof record>;

const requirement = z.object({
  name: z.enum(['dkim', 'spf', 'dmarc', 'one_click', 'complaints']),
  title: z.string(),
  holds: z.boolean().nullable().describe('Null: not known.'),
  words: z.string(),
});
export type Requirement = z.output<typeof requirement>;

const senderDomain = z
  .object({
    id: z.number().int(),
    domain: z.string().describe('ASCII, lower case.'),
    createdAt: z.iso.datetime(),
    createdBy: z.string(),
    checkedAt: z.iso.datetime().nullable().describe('How old the results are. Null: not looked up yet.'),
    state: z.enum(domainStates).describe('`ready`: SPF, DKIM and DMARC are in place.'),
    keys: z.array(
      z.object({
        selector: z.enum(selectors),
        state: z
          .enum(['signing', 'waiting', 'retired'])
          .describe('`waiting`: it signs as soon as its record is seen.'),
        madeAt: z.iso.datetime(),
        seenAt: z.iso.datetime().nullable(),
        keptUntil: z.iso
          .datetime()
          .nullable()
          .describe('Keep the record of a retired key until then. Null for others.'),
      }),
    ),
    records: z.array(record),
    checks: z.array(check),
    requirements: z.array(requirement).describe('What Gmail and Yahoo require of bulk senders.'),
  })
  .meta({ id: 'SenderDomain' });
export type SenderDomain = z.output<typeof senderDomain>;

const tag = 'Sender domains';
const read = access.member('viewer', 'senders:read');
const write = access.member('admin', 'senders:write');

export const listSenderDomains = endpoint({
  method: 'GET',
  path: '/api/sender-domains',
  access: read,
  summary: 'The domains that this workspace sends from, with their DNS records and what DNS says.',
  tag,
  response: z.object({ items: z.array(senderDomain) }),
});

export const addSenderDomain = endpoint({
  method: 'POST',
  path: '/api/sender-domains',
  access: write,
  summary:
    'Add a domain to send from. A DKIM key pair is made for it. Publish the records of the answer in its DNS.',
  tag,
  limits: `A workspace has at most ${mostDomains} sender domains.`,
  body: z.strictObject({
    domain: z.string().max(320).describe('Such as `acme.co.uk`. It is the part after the @ of an address.'),
  }),
  response: senderDomain,
  status: 201,
});

export const getSenderDomain = endpoint({
  method: 'GET',
  path: '/api/sender-domains/:id',
  access: read,
  summary: 'One sender domain.',
  tag,
  params: idParams,
  response: senderDomain,
});

export const deleteSenderDomain = endpoint({
  method: 'DELETE',
  path: '/api/sender-domains/:id',
  access: write,
  summary: 'Remove a sender domain. Its private keys are deleted for good, and nothing is signed with them.',
  tag,
  params: idParams,
  response: z.object({ deleted: z.literal(1) }),
});

export const checkSenderDomain = endpoint({
  method: 'POST',
  path: '/api/sender-domains/:id/check',
  access: write,
  summary: 'Read the DNS records of a sender domain again, now. Otherwise that happens by itself.',
  tag,
  params: idParams,
  limits: 'A domain is read at most once in ten seconds; a call before that answers what is known.',
  response: senderDomain,
});

export const rotateSenderKey = endpoint({
  method: 'POST',
  path: '/api/sender-domains/:id/rotate-key',
  access: write,
  summary:
    'Make a new DKIM key under the other selector. It signs once its record is seen in DNS. ' +
    `The old key then stays published for ${keptDays} days, for mail on its way. ` +
    '409 while the current key has not been seen, or two keys are there.',
  tag,
  params: idParams,
  response: senderDomain,
});

const oneLine = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, { error: 'Write this in one line, without control characters.' });

const isAddress = { error: notSenderAddress };

const senderFields = {
  name: oneLine(100)
    .min(1, 'Write the name that readers see.')
    .describe('The name that readers see beside the address.'),
  address: oneLine(254).refine(isSenderAddress, isAddress),
  replyTo: oneLine(254)
    .refine((text) => text === '' || isSenderAddress(text), isAddress)
    .describe('Where replies go. Empty: to the address itself.'),
};

const senderAddress = z
  .object({
    id: z
      .number()
      .int()
      .nullable()
      .describe('Null: the default sender, which `PATCH /api/settings` changes.'),
    name: z.string(),
    address: z.string(),
    replyTo: z.string(),
    domain: z
      .object({ id: z.number().int().nullable(), name: z.string(), state: z.enum([...domainStates, 'none']) })
      .describe('The sender domain that signs its mail. `none`: there is none, and nothing is signed.'),
  })
  .meta({ id: 'SenderAddress' });
export type SenderAddress = z.output<typeof senderAddress>;

const addressTag = 'Sender addresses';

export const listSenders = endpoint({
  method: 'GET',
  path: '/api/senders',
  access: read,
  summary: 'The senders that campaigns may go out from, the default one first.',
  tag: addressTag,
  response: z.object({ items: z.array(senderAddress) }),
});

export const addSender = endpoint({
  method: 'POST',
  path: '/api/senders',
  access: write,
  summary: 'Add a sender address.',
  tag: addressTag,
  limits: `A workspace has at most ${mostAddresses} sender addresses.`,
  body: z.strictObject({ ...senderFields, replyTo: senderFields.replyTo.default('') }),
  response: senderAddress,
  status: 201,
});

export const changeSender = endpoint({
  method: 'PATCH',
  path: '/api/senders/:id',
  access: write,
  summary: 'Change a sender address. Campaigns that were written with it keep what they have.',
  tag: addressTag,
  params: idParams,
  body: z
    .strictObject(senderFields)
    .partial()
    .refine((change) => Object.values(change).some((value) => value !== undefined), {
      error: 'Send at least one of name, address and replyTo.',
    }),
  response: senderAddress,
});

export const deleteSender = endpoint({
  method: 'DELETE',
  path: '/api/senders/:id',
  access: write,
  summary: 'Remove a sender address. Campaigns that were written with it keep it.',
  tag: addressTag,
  params: idParams,
  response: z.object({ deleted: z.literal(1) }),
});
