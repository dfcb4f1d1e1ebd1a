import { z } from 'zod';
import { type EventKind, eventOf } from '#platform/shared/contact-event.ts';
import { bounceKinds } from '../rules/kinds.ts';

const about = {
  mailing: z.string().describe('The name of the campaign or message.'),
  said: z.string().describe('In the words of whoever told it: the mail server, as a rule.'),
};

const bounced = eventOf('bounced', {
  ...about,
  class: z.enum(['hard', 'soft']).describe('Hard: the address takes no mail, now or later.'),
  reason: z.enum(bounceKinds),
});
const complained = eventOf('complained', about);

/** What the world answered to messages. */
export const bounceEvents: readonly EventKind[] = [
  { schema: bounced, step: 63, order: 123 },
  { schema: complained, step: 64, order: 124 },
];
export type BounceEvent = z.output<typeof bounced | typeof complained>;
