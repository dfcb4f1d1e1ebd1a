import { IconMailOpened, IconPointer, IconUserMinus } from '@tabler/icons-react';
import { type EventTellers, plainPart } from '#platform/web/event-words.ts';
import type { TrackingEvent } from '../contract/contact-events.ts';

const tellers: EventTellers<TrackingEvent> = {
  opened: ({ mailing }) => ({
    icon: IconMailOpened,
    tone: 'neutral',
    title: 'Opened an email',
    second: plainPart(mailing),
  }),
  clicked: ({ mailing, url }) => ({
    icon: IconPointer,
    tone: 'neutral',
    title: 'Clicked a link',
    second: [...plainPart(url), ...plainPart(`in ${mailing}`)],
  }),
  unsubscribed: ({ mailing }) => ({
    icon: IconUserMinus,
    tone: 'warning',
    title: 'Unsubscribed',
    second: plainPart(`By the link in ${mailing}`),
  }),
};
export default tellers;
