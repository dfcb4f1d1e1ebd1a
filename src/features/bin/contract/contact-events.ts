import { z } from 'zod';
import { type EventKind, eventOf } from '#platform/shared/contact-event.ts';
import { removalKinds } from '../contract.ts';

/** How the contact got into the bin. */
const how = z.enum(removalKinds);

const removed = eventOf('removed', {
  how,
  into: z.string().nullable().describe('The contact that stayed in a merge, while it is there.'),
});
const restored = eventOf('restored', { how });

export const binEvents: readonly EventKind[] = [
  { schema: removed, step: 10, order: 90 },
  { schema: restored, step: 20, order: 100 },
];
export type BinEvent = z.output<typeof removed | typeof restored>;
