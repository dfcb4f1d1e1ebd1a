import { IconPencil } from '@tabler/icons-react';
import { fieldsInWords } from '#features/contacts/rules/contact-change.ts';
import { below, type EventTellers } from '#platform/web/event-words.ts';
import { capitalise, formatCount } from '#platform/web/format.ts';
import type { FieldChangesEvent } from '../contract/contact-events.ts';

const tellers: EventTellers<FieldChangesEvent> = {
  changed_with_others: ({ fields, contacts, by }) => ({
    icon: IconPencil,
    tone: 'neutral',
    title: 'Changed',
    second: below(
      [
        { text: capitalise(fieldsInWords(fields)) },
        {
          text: contacts === 1 ? 'by itself' : `with ${formatCount(contacts - 1, 'other', 'others')}`,
          to: '/field-changes',
        },
      ],
      by,
    ),
  }),
};
export default tellers;
