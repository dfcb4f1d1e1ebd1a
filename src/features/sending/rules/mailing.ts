/**
 * What a mailing is for. Transactional messages leave first, and unsubscribing does not stop them.
 * `test`: a campaign as people of the workspace get it before. It looks as to its recipients, and
 * nothing that is pressed in it changes anything.
 */
export const mailingKinds = ['campaign', 'transactional', 'test'] as const;
export type MailingKind = (typeof mailingKinds)[number];

/** Nothing leaves unless it is `sending`. `freezing`: its people are being written down. */
export const mailingStatuses = ['freezing', 'sending', 'paused', 'cancelled', 'completed'] as const;
export type MailingStatus = (typeof mailingStatuses)[number];

/** Where one message to one person stands. */
export const sendStates = [
  'pending',
  'handed',
  'sent',
  'deferred',
  'failed',
  'skipped',
  'uncertain',
  'left_out',
] as const;
export type SendState = (typeof sendStates)[number];

/** Why somebody was not mailed, found when the audience was frozen or at the last moment. */
export const skipReasons = [
  'suppressed',
  'invalid',
  'duplicate',
  'removed',
  'moved',
  'cancelled',
  'unwritable',
  'paused',
  'left_list',
  'no_basis',
  'mailed_lately',
  'over_cap',
] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Why a message waits, failed or is uncertain. */
export const answerReasons = [
  'refused',
  'refused_for_now',
  'slow_domain',
  'receiver_pace',
  'receiver_full',
  'gave_up',
  'connection',
  'no_answer',
] as const;
export type AnswerReason = (typeof answerReasons)[number];

/** In people. Always `total = sent + failed + skipped + uncertain + pending`. */
export interface Books {
  total: number;
  /** A server took the message. */
  sent: number;
  /** A server refused it for good. */
  failed: number;
  /** Not mailed after all, for a reason. */
  skipped: number;
  /** Handed to a server whose answer nobody has seen. */
  uncertain: number;
  /** No final answer yet. */
  pending: number;
  /** How many of those pending wait for another try. */
  deferred: number;
}
