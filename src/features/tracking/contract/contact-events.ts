import { z } from 'zod';
import { type EventKind, eventOf } from '#platform/shared/contact-event.ts';

const about = { mailing: z.string().describe('The name of the campaign or message.') };

const opened = eventOf('opened', about);
const clicked = eventOf('clicked', { ...about, url: z.string().describe('Where the link leads.') });
const unsubscribed = eventOf('unsubscribed', about);

/** What people did with messages. What machines did is not told. */
export const trackingEvents: readonly EventKind[] = [
  { schema: opened, step: 61, order: 120 },
  { schema: clicked, step: 62, order: 121 },
  { schema: unsubscribed, step: 65, order: 122 },
];
export type TrackingEvent = z.output<typeof opened | typeof clicked | typeof unsubscribed>;
