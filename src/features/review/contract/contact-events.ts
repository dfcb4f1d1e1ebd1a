import { z } from 'zod';
import { type EventKind, eventOf } from '#platform/shared/contact-event.ts';

const corrected = eventOf('corrected', { from: z.string(), to: z.string() });
const correctionUndone = eventOf('correction_undone', { from: z.string(), to: z.string() });
const merged = eventOf('merged', {
  others: z.array(z.string()).describe('The first of the addresses that went into this contact.'),
  contacts: z.number().int().describe('How many there were.'),
});
const unmerged = eventOf('unmerged', { contacts: z.number().int() });

export const reviewEvents: readonly EventKind[] = [
  { schema: corrected, step: 50, order: 50 },
  { schema: correctionUndone, step: 60, order: 60 },
  { schema: merged, step: 30, order: 70 },
  { schema: unmerged, step: 40, order: 80 },
];
export type ReviewEvent = z.output<
  typeof corrected | typeof correctionUndone | typeof merged | typeof unmerged
>;
