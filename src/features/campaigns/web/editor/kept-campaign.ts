import { z } from 'zod';
import { emailContent } from '#features/templates/rules/email-content.ts';
import { readKept } from '#platform/web/read-kept.ts';
import { useKeptDraft } from '#platform/web/use-kept-draft.ts';
import { decideByChoices, differences } from '../../contract/ab-test.ts';
import { campaignAudience } from '../../contract.ts';
import { writtenTemplates } from '../../rules/campaign.ts';
import { isSameDraft } from './draft.ts';
import type { Editing } from './use-campaign-draft.ts';

const sender = z.object({
  fromName: z.string().nullable(),
  fromAddress: z.string().nullable(),
  replyTo: z.string().nullable(),
});

const variant = z.object({
  key: z.number(),
  subject: z.string(),
  preheader: z.string(),
  sender,
  content: z.string(),
  copiedFrom: z.string().nullable(),
  delayHours: z.union([z.number(), z.literal('')]),
});

/** A draft as the editor holds it. Nothing in it need be as the server takes it. */
const keptDraft = z.object({
  name: z.string(),
  subject: z.string(),
  preheader: z.string(),
  sender,
  writing: z.enum(['words', 'design']),
  words: z.object({ content: z.string(), template: z.enum(writtenTemplates) }),
  design: emailContent.nullable(),
  textContent: z.string(),
  audience: campaignAudience,
  trackOpens: z.boolean(),
  trackClicks: z.boolean(),
  utm: z
    .object({
      source: z.string(),
      medium: z.string(),
      campaign: z.string(),
      term: z.string().optional(),
      content: z.string().optional(),
    })
    .nullable(),
  abTest: z
    .object({
      differs: z.enum(differences),
      share: z.number(),
      decideBy: z.enum(decideByChoices),
      hours: z.number(),
      variants: z.array(variant),
    })
    .nullable(),
});

const keptCampaign = z.object({ updatedAt: z.string(), draft: keptDraft });
/** What is kept of a campaign, and when that which it was written on had been saved. */
type KeptCampaign = z.output<typeof keptCampaign>;

/** Keeps what is not saved of a campaign in this browser. */
export const useKeptCampaign = (id: number, { draft, stored, saver, isChanged }: Editing) =>
  useKeptDraft<KeptCampaign>({
    ...{ kind: 'campaign', id, draft, isChanged },
    contentNow: () => ({ updatedAt: saver.version ?? stored.updatedAt, draft: saver.state().draft }),
    read: (kept) => readKept(keptCampaign, kept),
    // The order of the fields says nothing, and is that of the schema in what was read.
    isStored: (kept) => isSameDraft(kept.draft, readKept(keptDraft, draft) ?? draft),
  });
