import { IconArrowBackUp, IconArrowMerge, IconTrash } from '@tabler/icons-react';
import { below, type EventTellers, type EventWords, plainPart } from '#platform/web/event-words.ts';
import type { BinEvent } from '../contract/contact-events.ts';

const tellers: EventTellers<BinEvent> = {
  removed: removedWords,
  restored: ({ how, by }) => ({
    icon: IconArrowBackUp,
    tone: 'neutral',
    title: how === 'merge' ? 'Merge taken back' : 'Brought back from the bin',
    second: below([], by),
  }),
};
export default tellers;

function removedWords({ how, into, by: name }: Extract<BinEvent, { kind: 'removed' }>): EventWords {
  if (how === 'merge') {
    const title = into === null ? 'Merged into another contact' : `Merged into ${into}`;
    return { icon: IconArrowMerge, tone: 'neutral', title, second: below([], name) };
  }
  const why = { delete: null, clean: 'By a clean', undo_import: 'Its import was undone' }[how];
  return {
    icon: IconTrash,
    tone: 'neutral',
    title: 'Moved to the bin',
    second: below(plainPart(why), name),
  };
}
