import type { MailReading } from '../contract.ts';

export const readingLabels: Record<MailReading, string> = {
  hard: 'Hard bounce',
  soft: 'Soft bounce',
  complaint: 'Complaint',
  no_bounce: 'No bounce',
};

/** What saying so does. */
export const readingEffects: Record<MailReading, string> = {
  hard: 'The address is not there. It is suppressed.',
  soft: 'It could not be delivered this time. Five in a row suppress the address.',
  complaint: 'The reader wants no more. The address is suppressed.',
  no_bounce: 'An answer, a notice or a question. It changes nothing.',
};
