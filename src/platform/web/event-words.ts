import type { Icon } from './icon.ts';
import type { Tone } from './theme-colours.ts';

/** A part of an event's second line; with `to`, a link. */
export interface EventPart {
  text: string;
  to?: string;
  search?: Record<string, unknown>;
}

/** What is shown of something that happened to a contact. */
export interface EventWords {
  icon: Icon;
  /** Neutral unless it is an exception that somebody may have to look at. */
  tone: Tone;
  title: string;
  second: EventPart[];
}

/** The words of each kind of event that a feature tells. */
export type EventTellers<Event extends { kind: string }> = {
  [Kind in Event['kind']]: (event: Extract<Event, { kind: Kind }>) => EventWords;
};

/** The same for whoever does not know which kinds there are. */
// biome-ignore lint/suspicious/noExplicitAny: each reads the events of its own kind
export type AnyEventTellers = Readonly<Record<string, (event: any) => EventWords>>;

/**
 * What is said below the title, and who did it: "By Hannah Pine" where that is all; nothing where
 * nobody is recorded. A note may say what the reason says already: no words stand there twice.
 */
export const below = (parts: EventPart[], name: string | null): EventPart[] => {
  const who = name === null ? [] : [{ text: `${parts.length === 0 ? 'By' : 'by'} ${name}` }];
  return [...new Map([...parts, ...who].map((part) => [part.text, part])).values()];
};

export const plainPart = (text: string | null): EventPart[] =>
  text === null || text === '' ? [] : [{ text }];
