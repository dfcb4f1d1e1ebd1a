import { IconMail } from '@tabler/icons-react';
import { type EventTellers, plainPart } from '#platform/web/event-words.ts';
import type { SendingEvent } from '../contract/contact-events.ts';

const tellers: EventTellers<SendingEvent> = {
  mailed: ({ mailing }) => ({
    icon: IconMail,
    tone: 'neutral',
    title: 'Was sent a campaign',
    second: plainPart(mailing),
  }),
};
export default tellers;
