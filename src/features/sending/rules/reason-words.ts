import type { AnswerReason, SkipReason } from './mailing.ts';

const reasons: Readonly<Record<SkipReason | AnswerReason, string>> = {
  suppressed: 'on the suppression list',
  invalid: 'the address is invalid',
  duplicate: 'another contact has the same address',
  removed: 'the contact was removed',
  moved: 'the address was changed',
  cancelled: 'the campaign was cancelled',
  unwritable: 'no mail server can be given the message',
  paused: 'they take a break from emails',
  left_list: 'they left the list',
  no_basis: 'your settings do not mail their marketing basis',
  mailed_lately: 'they were mailed a short time ago',
  over_cap: 'they have had as many campaigns as your settings allow',
  refused: 'the mail server said no',
  refused_for_now: 'the mail server asked to try later',
  slow_domain: 'the servers of their domain asked for less mail',
  receiver_pace: 'its turn comes within the hour, by your limit for their provider',
  receiver_full: 'the next hour is full by your limit for their provider, so it asks again after that',
  gave_up: 'the mail server did not take it within 72 hours',
  no_answer: 'the answer of the mail server was never seen',
  connection: 'the connection to the mail server broke',
};

/** Why a send stands where it does. Null for what this version does not know. */
export const reasonInWords = (reason: string): string | null =>
  Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : null;
