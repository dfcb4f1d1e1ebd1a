import { z } from 'zod';
import { type EventKind, eventOf } from '#platform/shared/contact-event.ts';

const added = eventOf('added', {
  as: z.enum(['active', 'invalid', 'duplicate']).describe('What it was taken for when it came in.'),
  import: z
    .object({ id: z.number().int(), fileName: z.string().nullable() })
    .nullable()
    .describe('The import that brought it; null when it was added by hand.'),
});

export const contactsEvents: readonly EventKind[] = [{ schema: added, step: 0, order: 0 }];
export type ContactsEvent = z.output<typeof added>;
