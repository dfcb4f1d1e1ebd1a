const reasons: Record<string, string> = {
  suppressed: 'on the suppression list',
  invalid: 'the address is invalid',
  duplicate: 'another contact has the same address',
  removed: 'the contact was removed',
  moved: 'the address was changed',
  cancelled: 'the campaign was cancelled',
  unwritable: 'no mail server can be given the message',
  paused: 'they take a break from emails',
  no_basis: 'your settings do not mail their marketing basis',
  mailed_lately: 'they were mailed a short time ago',
  over_cap: 'they have had as many campaigns as your settings allow',
  refused: 'the mail server said no',
  refused_for_now: 'the mail server asked to try later',
  slow_domain: 'the servers of their domain asked for less mail',
  receiver_pace: 'your limit for their provider: its turn comes within the hour',
  receiver_full: 'your limit for their provider: the next hour is full, and it asks again after it',
  gave_up: 'the mail server did not take it within 72 hours',
  connection: 'the connection to the mail server broke',
};

/** Why a send stands where it does. Null for what this version does not know. */
export const reasonInWords = (reason: string): string | null => reasons[reason] ?? null;
