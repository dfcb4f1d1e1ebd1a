import { z } from 'zod';
import { type EventKind, eventOf } from '#platform/shared/contact-event.ts';

const mailed = eventOf('mailed', {
  mailing: z.string().describe('The name of the campaign.'),
});

/** Campaigns that a mail server took for the contact. */
export const sendingEvents: readonly EventKind[] = [{ schema: mailed, step: 60, order: 119 }];
export type SendingEvent = z.output<typeof mailed>;
