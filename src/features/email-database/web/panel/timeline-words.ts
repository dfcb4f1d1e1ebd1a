import { IconPoint } from '@tabler/icons-react';
import type { AnyEvent } from '#platform/shared/contact-event.ts';
import { type AnyEventTellers, below, type EventWords } from '#platform/web/event-words.ts';

/**
 * What happened, in the words of the feature that reports it. An older version of the page has no
 * words for new kinds.
 */
export function eventWords(tellers: AnyEventTellers, event: AnyEvent): EventWords {
  const tell = Object.hasOwn(tellers, event.kind) ? tellers[event.kind] : undefined;
  if (tell) return tell(event);
  const title = event.kind.replaceAll('_', ' ');
  return {
    icon: IconPoint,
    tone: 'neutral',
    title: title.charAt(0).toUpperCase() + title.slice(1),
    second: below([], event.by),
  };
}
