import { z } from 'zod';
import { type EventKind, eventOf } from '#platform/shared/contact-event.ts';

const changedWithOthers = eventOf('changed_with_others', {
  fields: z.array(z.string()).describe('As of `changed`.'),
  contacts: z.number().int().describe('How many contacts were changed together.'),
});

export const fieldChangesEvents: readonly EventKind[] = [{ schema: changedWithOthers, step: 16, order: 6 }];
export type FieldChangesEvent = z.output<typeof changedWithOthers>;
