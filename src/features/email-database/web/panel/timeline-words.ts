import { verdictLabels, verdictTones } from '#features/contacts/web/index.ts';
import type { SuppressionReason } from '#features/suppressions/contract.ts';
import type { ContactEvent } from '#features/timeline/contract.ts';
import type { Tone } from '#platform/web/theme-colours.ts';

export type EventIcon =
  | 'added'
  | 'imported'
  | 'verified'
  | 'suppressed'
  | 'lifted'
  | 'corrected'
  | 'merged'
  | 'removed'
  | 'back';

/** A part of an event's second line; with `to`, a link. */
export interface EventPart {
  text: string;
  to?: string;
  search?: Record<string, unknown>;
}

export interface EventWords {
  icon: EventIcon;
  /** Neutral unless it is an exception that somebody may have to look at. */
  tone: Tone;
  title: string;
  second: EventPart[];
}

/**
 * What is said below the title, and who did it: "By Hannah Pine" where that is all; nothing where nobody is recorded. A note may
 * say what the reason says already: no words stand there twice.
 */
const below = (parts: EventPart[], name: string | null): EventPart[] => {
  const who = name === null ? [] : [{ text: `${parts.length === 0 ? 'By' : 'by'} ${name}` }];
  return [...new Map([...parts, ...who].map((part) => [part.text, part])).values()];
};
const plain = (text: string | null): EventPart[] => (text === null || text === '' ? [] : [{ text }]);

/** What happened, in words: a title, and who, why and where below it. */
export function eventWords(event: ContactEvent): EventWords {
  switch (event.kind) {
    case 'added':
      return addedWords(event);
    case 'verified':
      return verifiedWords(event);
    case 'suppressed':
      return suppressedWords(event);
    case 'lifted':
      return {
        icon: 'lifted',
        tone: 'neutral',
        title: event.domain === null ? 'Suppression lifted' : `Domain ${event.domain} no longer suppressed`,
        second: below(plain(event.why), event.by),
      };
    case 'put_back':
      return {
        icon: 'suppressed',
        tone: 'warning',
        title: event.domain === null ? 'Suppressed again' : `Domain ${event.domain} suppressed again`,
        second: below([{ text: 'The lifting was undone' }], event.by),
      };
    case 'corrected':
    case 'correction_undone':
      return {
        icon: event.kind === 'corrected' ? 'corrected' : 'back',
        tone: 'neutral',
        title: event.kind === 'corrected' ? 'Address corrected' : 'Correction taken back',
        second: below([{ text: `${event.from} → ${event.to}` }], event.by),
      };
    case 'merged':
      return mergedWords(event);
    case 'unmerged':
      return { icon: 'back', tone: 'neutral', title: 'Merge taken back', second: below([], event.by) };
    case 'removed':
      return removedWords(event);
    case 'restored':
      return {
        icon: 'back',
        tone: 'neutral',
        title: event.how === 'merge' ? 'Merge taken back' : 'Brought back from the bin',
        second: below([], event.by),
      };
  }
}

type Event<Kind extends ContactEvent['kind']> = Extract<ContactEvent, { kind: Kind }>;

function addedWords({ as, import: file, by: name }: Event<'added'>): EventWords {
  const fate = { active: null, invalid: 'as invalid', duplicate: 'as a further copy' }[as];
  const from: EventPart =
    file === null
      ? { text: 'By hand' }
      : { text: file.fileName ?? `Import ${file.id}`, to: `/imports/${file.id}` };
  return {
    icon: file === null ? 'added' : 'imported',
    tone: 'neutral',
    title: 'Added',
    second: below([from, ...plain(fate)], name),
  };
}

function verifiedWords({ verdict, risk, run, by: name }: Event<'verified'>): EventWords {
  const tone = verdictTones[verdict];
  const search = { tab: 'runs', run: run?.id };
  const part = run?.whole ? [{ text: 'with all contacts', to: '/review', search }] : [];
  return {
    icon: 'verified',
    tone: tone === 'success' ? 'neutral' : tone,
    title: `Verified: ${verdictLabels[verdict].toLowerCase()}`,
    second: below([{ text: `Risk ${risk} of 100` }, ...part], name),
  };
}

const reasons: Record<SuppressionReason, string> = {
  manual: 'By hand',
  unsubscribed: 'The recipient unsubscribed',
  bounced: 'Mail to it bounced',
  complained: 'The recipient reported mail as spam',
  erased: 'The person asked to be erased',
  imported: 'From an imported list',
};

function suppressedWords({ domain, reason, note, fileName, by: name }: Event<'suppressed'>): EventWords {
  const origin = fileName === null ? null : `From ${fileName}`;
  const why = reason === 'imported' && origin !== null ? [] : [{ text: reasons[reason] }];
  return {
    icon: 'suppressed',
    tone: 'warning',
    title: domain === null ? 'Suppressed' : `Domain ${domain} suppressed`,
    second: below([...why, ...plain(origin), ...plain(note)], name),
  };
}

function mergedWords({ others, contacts, by: name }: Event<'merged'>): EventWords {
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
  return { icon: 'merged', tone: 'neutral', title, second: below(named, name) };
}

function removedWords({ how, into, by: name }: Event<'removed'>): EventWords {
  if (how === 'merge') {
    const title = into === null ? 'Merged into another contact' : `Merged into ${into}`;
    return { icon: 'merged', tone: 'neutral', title, second: below([], name) };
  }
  const why = { delete: null, clean: 'By a clean', undo_import: 'Its import was undone' }[how];
  return {
    icon: 'removed',
    tone: 'neutral',
    title: 'Moved to the bin',
    second: below(plain(why), name),
  };
}
