import { IconArrowBackUp, IconArrowMerge, IconPencilCheck } from '@tabler/icons-react';
import { below, type EventTellers, type EventWords } from '#platform/web/event-words.ts';
import type { ReviewEvent } from '../contract/contact-events.ts';

const tellers: EventTellers<ReviewEvent> = {
  corrected: ({ from, to, by }) => ({
    icon: IconPencilCheck,
    tone: 'neutral',
    title: 'Address corrected',
    second: below([{ text: `${from} → ${to}` }], by),
  }),
  correction_undone: ({ from, to, by }) => ({
    icon: IconArrowBackUp,
    tone: 'neutral',
    title: 'Correction taken back',
    second: below([{ text: `${from} → ${to}` }], by),
  }),
  merged: mergedWords,
  unmerged: ({ by }) => ({
    icon: IconArrowBackUp,
    tone: 'neutral',
    title: 'Merge taken back',
    second: below([], by),
  }),
};
export default tellers;

function mergedWords({ others, contacts, by: name }: Extract<ReviewEvent, { kind: 'merged' }>): EventWords {
  const [first] = others;
  const rest = contacts - others.length;
  const title =
    contacts === 1 && first !== undefined
      ? `Merged with ${first}`
      : `Merged with ${contacts} ${contacts === 1 ? 'other' : 'others'}`;
  const named =
    contacts === 1 || first === undefined
      ? []
      : [{ text: `${others.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}` }];
  return { icon: IconArrowMerge, tone: 'neutral', title, second: below(named, name) };
}
