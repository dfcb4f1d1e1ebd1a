import { z } from 'zod';
import { type EventKind, eventOf } from '#platform/shared/contact-event.ts';

const leftTopic = eventOf('left_topic', {
  list: z.object({ id: z.number().int(), name: z.string() }),
});

/** What readers did on the preference page. A topic they joined is told as a list they are on. */
export const listsEvents: readonly EventKind[] = [{ schema: leftTopic, step: 18, order: 114 }];
export type ListsEvent = z.output<typeof leftTopic>;
