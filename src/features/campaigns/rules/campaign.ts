import type { MailingStatus } from '#features/sending/rules/mailing.ts';

/** The layouts that plain content is put into. */
export const writtenTemplates = ['simple', 'newsletter', 'promotional', 'announcement'] as const;
export type WrittenTemplate = (typeof writtenTemplates)[number];

/** `custom`: its content is a whole email of its own. */
export const campaignTemplates = [...writtenTemplates, 'custom'] as const;
export type CampaignTemplate = (typeof campaignTemplates)[number];

export const campaignStatuses = [
  'draft',
  'scheduled',
  'sending',
  'paused',
  'completed',
  'cancelled',
  'failed',
] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

/** Where a campaign stands: its own word until it is sent, then that of its mailing. */
export function statusOf(
  own: 'draft' | 'scheduled' | 'sent',
  mailing: { status: MailingStatus; total: number; sent: number; failed: number } | null,
): CampaignStatus {
  if (own !== 'sent' || mailing === null) return own === 'sent' ? 'failed' : own;
  const { status, total, sent, failed } = mailing;
  if (status === 'freezing') return 'sending';
  return status === 'completed' && total > 0 && sent === 0 && failed === total ? 'failed' : status;
}

/** Whether something may still happen by itself. */
export const isMoving = ({
  status,
  pending,
  endedAt,
}: {
  status: CampaignStatus;
  pending: number;
  endedAt: string | null;
}): boolean => status === 'sending' || (status === 'cancelled' && endedAt === null && pending > 0);

/** Where recipients stand, as the filters of lists know it. */
export const recipientStates = [
  'pending',
  'sent',
  'deferred',
  'failed',
  'skipped',
  'uncertain',
  'left_out',
] as const;

/** What became of a message once a server had it, and what its reader did. */
export const recipientActs = ['got', 'opened', 'clicked', 'bounced', 'complained', 'left'] as const;
export type RecipientAct = (typeof recipientActs)[number];
