import type { Role } from '#platform/shared/contract.ts';
import type { CampaignStatus } from './campaign.ts';

/** What sending takes of people, and of the programs that act for them. */
export const sendRight = { role: 'sender', scope: 'campaigns:send' } as const;

/** The role that a change takes. What is scheduled leaves by itself, so to change it is to send. */
export const roleToChange = (status: CampaignStatus): Role =>
  status === 'scheduled' ? sendRight.role : 'editor';

export const scheduledNeedsSender =
  'This campaign is scheduled, and only somebody who may send can change it. Ask one of them, or have the schedule taken back first.';
