import { z } from 'zod';
import { contactSelection } from '#features/contacts/contract.ts';
import { access, endpoint, idParams, itemsOf } from '#platform/shared/contract.ts';

export const suppressionReasons = [
  'manual',
  'unsubscribed',
  'bounced',
  'complained',
  'erased',
  'imported',
] as const;

export const emailSuppression = z.object({
  id: z.number().int(),
  email: z.string(),
  reason: z.enum(suppressionReasons),
  note: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type EmailSuppression = z.output<typeof emailSuppression>;

export const domainSuppression = z.object({
  id: z.number().int(),
  domain: z.string(),
  affectedCount: z.number().int().describe('Contacts in the domain and its subdomains now.'),
  createdAt: z.iso.datetime(),
});
export type DomainSuppression = z.output<typeof domainSuppression>;

const listQuery = z.object({
  search: z.string().max(320).default(''),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(20),
});

const tag = 'Suppressions';
const suppressed = z.object({
  suppressed: z.number().int().describe('Addresses newly on the list; those already there are not counted.'),
});

export const suppressContact = endpoint({
  method: 'POST',
  path: '/api/suppressions/email',
  access: access.member('editor'),
  summary: "Put a contact's address on the suppression list.",
  tag,
  body: z.object({ emailId: z.number().int().positive() }),
  response: emailSuppression,
  status: 201,
});

export const suppressContacts = endpoint({
  method: 'POST',
  path: '/api/suppressions/emails',
  access: access.member('editor'),
  summary: 'Put the addresses of contacts on the suppression list: those named, or all that match a filter.',
  tag,
  body: contactSelection,
  response: suppressed,
});

export const suppressAddress = endpoint({
  method: 'POST',
  path: '/api/suppressions/email/manual',
  access: access.member('editor'),
  summary: 'Put an address on the suppression list, whether or not it is a contact.',
  tag,
  body: z.object({ email: z.string().trim().min(1).max(1000), note: z.string().max(1000).nullish() }),
  response: emailSuppression,
  status: 201,
});

export const suppressDomain = endpoint({
  method: 'POST',
  path: '/api/suppressions/domain',
  access: access.member('editor'),
  summary: 'Suppress a whole domain with its subdomains.',
  tag,
  body: z.object({ domain: z.string().trim().min(1).max(1000), note: z.string().max(1000).nullish() }),
  response: domainSuppression,
  status: 201,
});

export const listEmailSuppressions = endpoint({
  method: 'GET',
  path: '/api/suppressions/emails',
  access: access.member('viewer'),
  summary: 'Suppressed addresses, newest first.',
  tag,
  query: listQuery,
  response: itemsOf(emailSuppression),
});

export const listDomainSuppressions = endpoint({
  method: 'GET',
  path: '/api/suppressions/domains',
  access: access.member('viewer'),
  summary: 'Suppressed domains, newest first.',
  tag,
  query: listQuery,
  response: itemsOf(domainSuppression),
});

const liftBody = z.object({
  reason: z.string().max(1000).optional().describe('Why it is lifted; kept in the audit log.'),
});
const lifted = z.object({ removed: z.number().int() });

export const liftEmailSuppression = endpoint({
  method: 'DELETE',
  path: '/api/suppressions/email/:id',
  access: access.member('editor'),
  summary: 'Take an address off the suppression list.',
  tag,
  params: idParams,
  body: liftBody,
  response: lifted,
});

export const liftDomainSuppression = endpoint({
  method: 'DELETE',
  path: '/api/suppressions/domain/:id',
  access: access.member('editor'),
  summary: 'Take a domain off the suppression list.',
  tag,
  params: idParams,
  body: liftBody,
  response: lifted,
});
