import { IconListDetails, IconTag, IconTagOff } from '@tabler/icons-react';
import { below, type EventPart, type EventTellers, plainPart } from '#platform/web/event-words.ts';
import { formatCount } from '#platform/web/format.ts';
import type { MembershipsEvent } from '../contract/contact-events.ts';

const tellers: EventTellers<MembershipsEvent> = {
  put_on_list: ({ list, by, ...how }) => ({
    icon: IconListDetails,
    tone: 'neutral',
    title: `Put on the list ${list.name}`,
    second: below(howAdded(how), by),
  }),
  taken_off_list: ({ list, contacts, by }) => ({
    icon: IconListDetails,
    tone: 'neutral',
    title: `Taken off the list ${list.name}`,
    second: below(withOthers(contacts), by),
  }),
  tagged: ({ tag, by, ...how }) => ({
    icon: IconTag,
    tone: 'neutral',
    title: `Tagged ${tag.name}`,
    second: below(howAdded(how), by),
  }),
  untagged: ({ tag, contacts, by }) => ({
    icon: IconTagOff,
    tone: 'neutral',
    title: `No longer tagged ${tag.name}`,
    second: below(withOthers(contacts), by),
  }),
};
export default tellers;

type Added = Pick<Extract<MembershipsEvent, { kind: 'tagged' }>, 'how' | 'import' | 'contacts'>;

function howAdded({ how, import: file, contacts }: Added): EventPart[] {
  if (file !== null) return [{ text: file.fileName ?? `Import ${file.id}`, to: `/imports/${file.id}` }];
  const words: Partial<Record<typeof how, string>> = {
    pasted: 'Among pasted addresses',
    merge: 'By a merge',
    preferences: 'By themselves, on the preference page of an email',
  };
  const said = words[how] ?? null;
  return [...plainPart(said), ...withOthers(contacts ?? 1)];
}

/** Nothing for one that was moved by itself. */
const withOthers = (contacts: number): EventPart[] =>
  contacts > 1 ? [{ text: `with ${formatCount(contacts - 1, 'other', 'others')}` }] : [];
