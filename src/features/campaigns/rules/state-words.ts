const states: Record<string, string> = {
  pending: 'Waits for its turn',
  sent: 'Taken by the mail server',
  deferred: 'Waits for another try',
  failed: 'Refused for good',
  skipped: 'Not mailed after all',
  uncertain: 'Handed over, but the answer was never seen',
  left_out: 'Left out',
};

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
  gave_up: 'the mail server did not take it within 72 hours',
  connection: 'the connection to the mail server broke',
};

/** Where a recipient stands, for people. */
export function stateInWords(state: string, reason: string | null): string {
  const what = states[state] ?? state;
  const why = reason === null ? undefined : reasons[reason];
  return why === undefined ? what : `${what}: ${why}`;
}
