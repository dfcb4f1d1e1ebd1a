import { IconFileImport, IconUserPlus } from '@tabler/icons-react';
import {
  below,
  type EventPart,
  type EventTellers,
  type EventWords,
  plainPart,
} from '#platform/web/event-words.ts';
import type { ContactsEvent } from '../contract/contact-events.ts';

const tellers: EventTellers<ContactsEvent> = { added: addedWords };
export default tellers;

function addedWords({ as, import: file, by: name }: ContactsEvent): EventWords {
  const fate = { active: null, invalid: 'as invalid', duplicate: 'as a further copy' }[as];
  const from: EventPart =
    file === null
      ? { text: 'By hand' }
      : { text: file.fileName ?? `Import ${file.id}`, to: `/imports/${file.id}` };
  return {
    icon: file === null ? IconUserPlus : IconFileImport,
    tone: 'neutral',
    title: 'Added',
    second: below([from, ...plainPart(fate)], name),
  };
}
