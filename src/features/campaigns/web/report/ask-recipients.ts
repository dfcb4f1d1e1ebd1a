import type { ShownRecipients } from './use-recipients.ts';

/** Shows the recipients in a state, or those who did something, and leads there. */
export type AskRecipients = (asked: Partial<Pick<ShownRecipients, 'state' | 'did'>>) => void;
