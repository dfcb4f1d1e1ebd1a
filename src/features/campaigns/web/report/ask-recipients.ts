import type { ShownRecipients } from './use-recipients.ts';

/** Shows the recipients in a state, at a domain, or those who did something, and leads there. */
export type AskRecipients = (
  asked: Partial<Pick<ShownRecipients, 'state' | 'did' | 'link'>> & { search?: string },
) => void;
