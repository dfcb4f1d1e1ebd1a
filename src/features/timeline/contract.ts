import { z } from 'zod';
import { type AnyEvent, anyEvent, type EventKind } from '#platform/shared/contact-event.ts';
import { access, endpoint, idParams } from '#platform/shared/contract.ts';

/** At most this many events are returned, the newest. */
export const mostEvents = 50;

/** The call for a timeline with events of this kind. */
const callWith = <Event extends z.ZodType<AnyEvent>>(event: Event) =>
  endpoint({
    method: 'GET',
    path: '/api/emails/:id/timeline',
    access: access.member('viewer', 'contacts:read'),
    summary: `What happened to one contact, newest first: the newest ${mostEvents}, from what is recorded of it. An API key is told of suppressions with \`suppressions:read\`, and of verdicts with \`verify\`.`,
    tag: 'Contacts',
    params: idParams,
    response: z.object({
      items: z.array(event),
      isAll: z.boolean().describe('False when there is more, which is older.'),
      lastActivityAt: z.iso.datetime().describe('When the newest of them was.'),
    }),
  });

type Schema = EventKind['schema'];

/** The calls of a product whose features report these kinds of events. It returns no other kind. */
export function timelineCalls(kinds: readonly EventKind[]) {
  const schemas = kinds.toSorted((one, other) => one.order - other.order).map(({ schema }) => schema);
  const event = z.discriminatedUnion('kind', schemas as [Schema, ...Schema[]]);
  return { getTimeline: callWith(event as unknown as z.ZodType<AnyEvent>) };
}

/** The same for callers. The server decides which kinds there are. */
export const getTimeline = callWith(anyEvent);
