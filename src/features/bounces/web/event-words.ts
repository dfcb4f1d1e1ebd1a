import { IconMailX, IconMoodSad } from '@tabler/icons-react';
import { type EventTellers, plainPart } from '#platform/web/event-words.ts';
import type { BounceEvent } from '../contract/contact-events.ts';
import { kindOf } from '../rules/kinds.ts';

const tellers: EventTellers<BounceEvent> = {
  bounced: ({ mailing, class: hardOrSoft, reason, said }) => ({
    icon: IconMailX,
    tone: 'warning',
    title: hardOrSoft === 'hard' ? 'An email bounced for good' : 'An email bounced',
    second: [
      ...plainPart(`${kindOf(reason).words}: ${mailing}`),
      ...plainPart(said === '' ? null : `The server said: ${said}`),
    ],
  }),
  complained: ({ mailing, said }) => ({
    icon: IconMoodSad,
    tone: 'warning',
    title: 'Reported an email as spam',
    second: [...plainPart(mailing), ...plainPart(said === '' ? null : said)],
  }),
};
export default tellers;
