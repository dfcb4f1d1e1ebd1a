import { z } from 'zod';
import { choiceField, idField, textField } from '#platform/web/url-state.ts';
import { campaignStatuses, recipientActs, recipientStates } from '../rules/campaign.ts';

/** The list's address: the search, the status, and what is open. */
export const campaignsSearch = z.object({
  search: textField,
  status: z.enum(campaignStatuses).optional().catch(undefined),
  archived: z.literal('only').optional().catch(undefined),
  dialog: z.literal('new').optional().catch(undefined),
  /** What the new campaign begins with, see `CampaignStart`. */
  to: z.string().optional().catch(''),
  with: z.string().optional().catch(undefined),
  send: idField,
  resend: idField,
});

/** The calendar's address: a day of the month or week that shows, and the campaign that moves. */
export const calendarSearch = z.object({
  view: choiceField(['month', 'week']),
  day: textField,
  move: idField,
});

/** The address of the check: whether it asks to send, now or in the best hour. */
export const checkSearch = z.object({ send: z.enum(['now', 'best']).optional().catch(undefined) });

/** The address of one campaign: which recipients show, and how opens and clicks are counted. */
export const campaignSearch = z.object({
  state: z.enum(recipientStates).optional().catch(undefined),
  did: z.enum(recipientActs).optional().catch(undefined),
  link: z.string().optional().catch(undefined),
  search: textField,
  count: choiceField(['people', 'all']),
  send: z.literal('now').optional().catch(undefined),
  edit: z.literal('now').optional().catch(undefined),
  resend: z.literal('now').optional().catch(undefined),
});
