import { z } from 'zod';
import { jsonValue } from '#platform/shared/contract.ts';

const id = z.number().int().positive();

/** What a contact did with a campaign that was sent. `notOpened`: got it, and did not open it. */
export const campaignParts = ['sent', 'opened', 'notOpened', 'clicked'] as const;
export type CampaignPart = (typeof campaignParts)[number];

/**
 * One of those that an audience is made of: a list, filled by people or by its rules, a tag, what
 * people did with an earlier campaign, or a filter of the database. `segment` is another word for
 * `list`.
 */
export const audiencePart = z
  .union([
    z.strictObject({ list: id }),
    z.strictObject({ segment: id }).transform(({ segment }) => ({ list: segment })),
    z.strictObject({ tag: id }),
    z.strictObject({ sent: id }).describe('Whoever got this campaign.'),
    z.strictObject({ opened: id }).describe('Whoever opened it. Machines do not count.'),
    z.strictObject({ notOpened: id }).describe('Whoever got it and did not open it.'),
    z.strictObject({ clicked: id }),
    z
      .strictObject({ filter: z.record(z.string().max(60), jsonValue) })
      .describe('A filter as `POST /api/lists/{id}/contacts` takes it.'),
  ])
  .meta({ id: 'AudiencePart' });
export type AudiencePart = z.output<typeof audiencePart>;

/** The campaign that a part is about. Null: none. */
export function campaignOf(part: AudiencePart): { did: CampaignPart; id: number } | null {
  for (const did of campaignParts)
    if (did in part) return { did, id: (part as Record<string, number>)[did] as number };
  return null;
}
