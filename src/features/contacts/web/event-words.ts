import { IconFileImport, IconPencil, IconUserPlus } from '@tabler/icons-react';
import {
  below,
  type EventPart,
  type EventTellers,
  type EventWords,
  plainPart,
} from '#platform/web/event-words.ts';
import { capitalise } from '#platform/web/format.ts';
import type { ContactsEvent } from '../contract/contact-events.ts';
import { fieldsInWords } from '../rules/contact-change.ts';

const tellers: EventTellers<ContactsEvent> = { added: addedWords, changed: changedWords };
export default tellers;

function addedWords({ as, import: file, by: name }: Extract<ContactsEvent, { kind: 'added' }>): EventWords {
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

function changedWords({ fields, by: name }: Extract<ContactsEvent, { kind: 'changed' }>): EventWords {
  return {
    icon: IconPencil,
    tone: 'neutral',
    title: 'Changed',
    second: below(plainPart(capitalise(fieldsInWords(fields))), name),
  };
}
