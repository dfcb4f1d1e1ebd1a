import { z } from 'zod';
import { memberSources } from '#features/contacts/contract.ts';
import { type EventKind, eventOf } from '#platform/shared/contact-event.ts';

const count = z.number().int();
const group = z.object({ id: count, name: z.string() });

const added = {
  how: z.enum(memberSources).describe('As in the lists of a contact.'),
  import: z
    .object({ id: count, fileName: z.string().nullable() })
    .nullable()
    .describe('Which import, when `how` is `import`.'),
  contacts: count.nullable().describe('How many were added together; null where that is not recorded.'),
};
const removed = {
  contacts: count.describe('How many were taken off together.'),
};

const putOnList = eventOf('put_on_list', { list: group, ...added });
const takenOffList = eventOf('taken_off_list', { list: group, ...removed });
const tagged = eventOf('tagged', { tag: group, ...added });
const untagged = eventOf('untagged', { tag: group, ...removed });

export const membershipsEvents: readonly EventKind[] = [
  { schema: putOnList, step: 17, order: 110 },
  { schema: takenOffList, step: 18, order: 111 },
  { schema: tagged, step: 17, order: 112 },
  { schema: untagged, step: 18, order: 113 },
];
export type MembershipsEvent = z.output<
  typeof putOnList | typeof takenOffList | typeof tagged | typeof untagged
>;
