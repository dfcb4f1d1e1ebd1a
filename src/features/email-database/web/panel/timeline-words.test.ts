import { describe, expect, it } from 'vitest';
import type { BinEvent } from '#features/bin/contract/contact-events.ts';
import bin from '#features/bin/web/event-words.ts';
import type { ContactsEvent } from '#features/contacts/contract/contact-events.ts';
import contacts from '#features/contacts/web/event-words.ts';
import type { MembershipsEvent } from '#features/memberships/contract/contact-events.ts';
import memberships from '#features/memberships/web/event-words.ts';
import type { ReviewEvent } from '#features/review/contract/contact-events.ts';
import review from '#features/review/web/event-words.ts';
import type { SuppressionEvent } from '#features/suppressions/contract/contact-events.ts';
import suppressions from '#features/suppressions/web/event-words.ts';
import type { VerificationEvent } from '#features/verification/contract/contact-events.ts';
import verification from '#features/verification/web/event-words.ts';
import { eventWords as wordsBy } from './timeline-words.ts';

type ContactEvent =
  | ContactsEvent
  | BinEvent
  | MembershipsEvent
  | ReviewEvent
  | SuppressionEvent
  | VerificationEvent;

const tellers = { ...contacts, ...bin, ...memberships, ...review, ...suppressions, ...verification };
const eventWords = (event: ContactEvent) => wordsBy(tellers, event);

const at = '2026-11-18T10:14:00.000Z';
const told = { at, by: 'Hannah Pine' };
const nobody = { at, by: null };
const fair = { id: 4, name: 'Fair' };
const byFile = { how: 'import', import: { id: 3, fileName: 'fair.csv' } } as const;

/** The title and the second line as a person reads them. */
const read = (event: ContactEvent) => {
  const { title, second } = eventWords(event);
  return [title, ...second.map(({ text }) => text)].join(' | ');
};

describe('an event of a contact', () => {
  it.each<[string, ContactEvent]>([
    ['Added | By hand | by Hannah Pine', { kind: 'added', ...told, as: 'active', import: null }],
    ['Added | By hand', { kind: 'added', ...nobody, as: 'active', import: null }],
    [
      'Added | fair.csv | as a further copy | by Hannah Pine',
      { kind: 'added', ...told, as: 'duplicate', import: { id: 3, fileName: 'fair.csv' } },
    ],
    [
      'Added | Import 3 | as invalid',
      { kind: 'added', ...nobody, as: 'invalid', import: { id: 3, fileName: null } },
    ],
    [
      'Verified: risky | Risk 60 of 100',
      { kind: 'verified', ...nobody, verdict: 'risky', risk: 60, run: null },
    ],
    [
      'Verified: valid | Risk 0 of 100 | with all contacts | by Hannah Pine',
      { kind: 'verified', ...told, verdict: 'valid', risk: 0, run: { id: 7, whole: true } },
    ],
    [
      'Verified: unknown | Risk 0 of 100 | by Hannah Pine',
      { kind: 'verified', ...told, verdict: 'unknown', risk: 0, run: { id: 7, whole: false } },
    ],
    [
      'Suppressed | By hand | Rang us | by Hannah Pine',
      { kind: 'suppressed', ...told, domain: null, reason: 'manual', note: 'Rang us', fileName: null },
    ],
    [
      'Suppressed | By hand | by Hannah Pine',
      { kind: 'suppressed', ...told, domain: null, reason: 'manual', note: 'By hand', fileName: null },
    ],
    [
      'Suppressed | The recipient unsubscribed | From optouts.csv',
      {
        kind: 'suppressed',
        ...nobody,
        domain: null,
        reason: 'unsubscribed',
        note: null,
        fileName: 'optouts.csv',
      },
    ],
    [
      'Suppressed | From optouts.csv',
      {
        kind: 'suppressed',
        ...nobody,
        domain: null,
        reason: 'imported',
        note: null,
        fileName: 'optouts.csv',
      },
    ],
    [
      'Suppressed | From an imported list',
      { kind: 'suppressed', ...nobody, domain: null, reason: 'imported', note: null, fileName: null },
    ],
    [
      'Domain acme.co.uk suppressed | By hand | by Hannah Pine',
      { kind: 'suppressed', ...told, domain: 'acme.co.uk', reason: 'manual', note: null, fileName: null },
    ],
    [
      'Suppression lifted | They came back | by Hannah Pine',
      { kind: 'lifted', ...told, domain: null, why: 'They came back' },
    ],
    [
      'Domain acme.co.uk no longer suppressed',
      { kind: 'lifted', ...nobody, domain: 'acme.co.uk', why: null },
    ],
    [
      'Suppressed again | The lifting was undone | by Hannah Pine',
      { kind: 'put_back', ...told, domain: null },
    ],
    [
      'Domain acme.co.uk suppressed again | The lifting was undone',
      { kind: 'put_back', ...nobody, domain: 'acme.co.uk' },
    ],
    [
      'Address corrected | jo@gmial.com → jo@gmail.com | by Hannah Pine',
      { kind: 'corrected', ...told, from: 'jo@gmial.com', to: 'jo@gmail.com' },
    ],
    [
      'Correction taken back | jo@gmail.com → jo@gmial.com',
      { kind: 'correction_undone', ...nobody, from: 'jo@gmail.com', to: 'jo@gmial.com' },
    ],
    [
      'Merged with jobloggs@gmail.com | By Hannah Pine',
      { kind: 'merged', ...told, others: ['jobloggs@gmail.com'], contacts: 1 },
    ],
    [
      'Merged with 4 others | a@x.uk, b@x.uk, c@x.uk and 1 more',
      { kind: 'merged', ...nobody, others: ['a@x.uk', 'b@x.uk', 'c@x.uk'], contacts: 4 },
    ],
    ['Merged with 1 other', { kind: 'merged', ...nobody, others: [], contacts: 1 }],
    ['Merge taken back | By Hannah Pine', { kind: 'unmerged', ...told, contacts: 1 }],
    ['Moved to the bin | By Hannah Pine', { kind: 'removed', ...told, how: 'delete', into: null }],
    ['Moved to the bin | By a clean', { kind: 'removed', ...nobody, how: 'clean', into: null }],
    [
      'Moved to the bin | Its import was undone',
      { kind: 'removed', ...nobody, how: 'undo_import', into: null },
    ],
    [
      'Merged into jo@gmail.com | By Hannah Pine',
      { kind: 'removed', ...told, how: 'merge', into: 'jo@gmail.com' },
    ],
    ['Merged into another contact', { kind: 'removed', ...nobody, how: 'merge', into: null }],
    [
      'Put on the list Fair | with 11 others | by Hannah Pine',
      { kind: 'put_on_list', ...told, list: fair, how: 'filter', import: null, contacts: 12 },
    ],
    [
      'Put on the list Fair | fair.csv | by Hannah Pine',
      { kind: 'put_on_list', ...told, list: fair, ...byFile, contacts: null },
    ],
    [
      'Tagged Fair | Among pasted addresses | with 1 other',
      { kind: 'tagged', ...nobody, tag: fair, how: 'pasted', import: null, contacts: 2 },
    ],
    [
      'Tagged Fair | By a merge',
      { kind: 'tagged', ...nobody, tag: fair, how: 'merge', import: null, contacts: null },
    ],
    [
      'Taken off the list Fair | By Hannah Pine',
      { kind: 'taken_off_list', ...told, list: fair, contacts: 1 },
    ],
    [
      'No longer tagged Fair | with 2 others | by Hannah Pine',
      { kind: 'untagged', ...told, tag: fair, contacts: 3 },
    ],
    ['Brought back from the bin | By Hannah Pine', { kind: 'restored', ...told, how: 'clean' }],
    ['Merge taken back', { kind: 'restored', ...nobody, how: 'merge' }],
  ])('reads: %s', (words, event) => {
    expect(read(event)).toBe(words);
  });

  it('is told plainly where its feature is of a newer version than the page', () => {
    const { title, second } = wordsBy(tellers, { kind: 'letter_opened', ...told });
    expect([title, ...second.map(({ text }) => text)]).toEqual(['Letter opened', 'By Hannah Pine']);
  });

  it('leads to its import, and to the run over all contacts', () => {
    const file = { id: 3, fileName: 'fair.csv' };
    expect(eventWords({ kind: 'added', ...told, as: 'active', import: file }).second[0]).toEqual({
      text: 'fair.csv',
      to: '/imports/3',
    });
    const run = { id: 7, whole: true };
    expect(eventWords({ kind: 'verified', ...told, verdict: 'valid', risk: 0, run }).second[1]).toEqual({
      text: 'with all contacts',
      to: '/review',
      search: { tab: 'runs', run: 7 },
    });
  });

  it('is coloured only where it keeps somebody from being mailed', () => {
    const verified = { kind: 'verified', ...nobody, risk: 0, run: null } as const;
    expect(eventWords({ ...verified, verdict: 'valid' }).tone).toBe('neutral');
    expect(eventWords({ ...verified, verdict: 'invalid' }).tone).toBe('error');
    expect(eventWords({ kind: 'put_back', ...nobody, domain: null }).tone).toBe('warning');
    expect(eventWords({ kind: 'lifted', ...nobody, domain: null, why: null }).tone).toBe('neutral');
  });
});
