import { IconListDetails } from '@tabler/icons-react';
import { type EventTellers, plainPart } from '#platform/web/event-words.ts';
import type { ListsEvent } from '../contract/contact-events.ts';

const tellers: EventTellers<ListsEvent> = {
  left_topic: ({ list }) => ({
    icon: IconListDetails,
    tone: 'warning',
    title: `Left the list ${list.name}`,
    second: plainPart('By themselves, on the preference page of an email'),
  }),
};
export default tellers;
