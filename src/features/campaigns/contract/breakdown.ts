import { z } from 'zod';
import { access, endpoint, idParams, raw } from '#platform/shared/contract.ts';

/** Domains that are told apart. All others are one line. */
export const namedDomains = 50;

export const domainFigures = z.object({
  domain: z.string().nullable().describe('Null: all that are not among the first, together.'),
  domains: z.number().int().describe('How many domains these are.'),
  recipients: z.number().int(),
  sent: z.number().int().describe('Mail servers took them.'),
  failed: z.number().int().describe('Mail servers refused them for good.'),
  bounced: z.number().int().describe('Came back, at once or later.'),
  complained: z.number().int(),
  opened: z.number().int().describe('People, without machines.'),
  clicked: z.number().int(),
  unsubscribed: z.number().int(),
});
export type DomainFigures = z.output<typeof domainFigures>;

export const linkPeople = z.object({
  url: z.string(),
  people: z.number().int().describe('Without machines.'),
  withMachines: z.number().int(),
});
export type LinkPeople = z.output<typeof linkPeople>;

export const getBreakdown = endpoint({
  method: 'GET',
  path: '/api/campaigns/:id/breakdown',
  access: access.member('viewer', 'campaigns:read'),
  summary: `A campaign in people: at each of the ${namedDomains} domains with most of its recipients and at all others, and by link.`,
  tag: 'Campaigns',
  params: idParams,
  response: z.object({
    countedAt: z.iso
      .datetime()
      .nullable()
      .describe('Large campaigns are counted in the background. Null: not yet.'),
    isCounting: z.boolean().describe('A newer count is on its way. Ask again in some seconds.'),
    domains: z.array(domainFigures),
    links: z.array(linkPeople).describe('Links that somebody followed, by address.'),
  }),
});
export type Breakdown = z.output<typeof getBreakdown.response>;

export const breakdownParts = ['domains', 'links'] as const;
export type BreakdownPart = (typeof breakdownParts)[number];

export const exportBreakdown = endpoint({
  method: 'GET',
  path: '/api/campaigns/:id/breakdown/export',
  access: access.member('viewer', 'campaigns:read'),
  summary:
    'The receiving domains of a campaign, or its links with their clicks and people, as CSV. 409 `conflict` while ' +
    'a large campaign is counted for the first time: ask again in some seconds.',
  tag: 'Campaigns',
  params: idParams,
  query: z.object({
    what: z
      .enum(breakdownParts)
      .describe('`domains`: an empty domain stands for all others together. `links`: each address once.'),
  }),
  response: raw('text/csv'),
  fails: ['conflict'],
});
