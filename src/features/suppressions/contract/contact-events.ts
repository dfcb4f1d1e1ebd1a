import { z } from 'zod';
import { type EventKind, eventOf } from '#platform/shared/contact-event.ts';
import { suppressionReasons } from '../contract.ts';

/** What a suppression entry, or its removal, applies to. */
const covered = {
  domain: z
    .string()
    .nullable()
    .describe("The suppressed domain, the contact's own or one above it; null for its address alone."),
};

const suppressed = eventOf('suppressed', {
  ...covered,
  reason: z.enum(suppressionReasons),
  note: z.string().nullable(),
  fileName: z.string().nullable().describe('The list that it was imported with.'),
});
const lifted = eventOf('lifted', { ...covered, why: z.string().nullable() });
const putBack = eventOf('put_back', covered);

export const suppressionsEvents: readonly EventKind[] = [
  { schema: suppressed, step: 70, order: 20 },
  { schema: lifted, step: 80, order: 30 },
  { schema: putBack, step: 90, order: 40 },
];
export type SuppressionEvent = z.output<typeof suppressed | typeof lifted | typeof putBack>;
