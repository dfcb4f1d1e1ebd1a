import { z } from 'zod';
import { type EventKind, eventOf } from '#platform/shared/contact-event.ts';

const added = eventOf('added', {
  as: z.enum(['active', 'invalid', 'duplicate']).describe('What it was taken for when it came in.'),
  import: z
    .object({ id: z.number().int(), fileName: z.string().nullable() })
    .nullable()
    .describe('The import that brought it; null when it was added by hand.'),
});

const changed = eventOf('changed', {
  fields: z
    .array(z.string())
    .describe(
      'What was changed: `name`, `firstName`, `lastName`, `notes`; extra fields as `attributes.phone`.',
    ),
});

export const contactsEvents: readonly EventKind[] = [
  { schema: added, step: 0, order: 0 },
  { schema: changed, step: 15, order: 5 },
];
export type Changed = z.output<typeof changed>;
export type ContactsEvent = z.output<typeof added | typeof changed>;
