import type { Icon } from './icon.ts';
import type { Tone } from './theme-colours.ts';

/** A part of an event's second line. With `to`, it is a link. */
export interface EventPart {
  text: string;
  to?: string;
  search?: Record<string, unknown>;
}

/** What a screen shows for an event of a contact. */
export interface EventWords {
  icon: Icon;
  /** Neutral, unless it is an exception that somebody may have to look at. */
  tone: Tone;
  title: string;
  second: EventPart[];
}

/** The words for each kind of event that a feature reports. */
export type EventTellers<Event extends { kind: string }> = {
  [Kind in Event['kind']]: (event: Extract<Event, { kind: Kind }>) => EventWords;
};

/** The same for code that does not know the kinds. */
// biome-ignore lint/suspicious/noExplicitAny: each reads the events of its own kind
export type AnyEventTellers = Readonly<Record<string, (event: any) => EventWords>>;

/**
 * The line below the title, ending with who did it. It is "By Hannah Pine" if there is nothing else
 * to say, and names nobody if nobody is recorded. A note may repeat the reason, so equal texts
 * appear only once.
 */
export const below = (parts: EventPart[], name: string | null): EventPart[] => {
  const who = name === null ? [] : [{ text: `${parts.length === 0 ? 'By' : 'by'} ${name}` }];
  return [...new Map([...parts, ...who].map((part) => [part.text, part])).values()];
};

export const plainPart = (text: string | null): EventPart[] =>
  text === null || text === '' ? [] : [{ text }];
