import { describe, expect, it } from 'vitest';
import { type AnyEvent, type EventKind, eventOf } from '#platform/shared/contact-event.ts';
import { newestEvents } from './rules.ts';

/** An address is corrected, then suppressed, then judged. */
const kinds: EventKind[] = ['verified', 'corrected', 'suppressed'].map((kind, place) => ({
  schema: eventOf(kind, {}),
  step: [100, 50, 70][place] ?? 0,
  order: place,
}));

const at = (minute: number) => new Date(Date.UTC(2026, 10, 18, 10, minute)).toISOString();
const lifted = (minute: number): AnyEvent => ({
  kind: 'lifted',
  at: at(minute),
  by: null,
  domain: null,
  why: null,
});

describe('the newest events', () => {
  it('come newest first, from whichever source', () => {
    const { items, isAll } = newestEvents([lifted(2), lifted(9), lifted(5)], kinds, 3);
    expect(items.map((event) => event.at)).toEqual([at(9), at(5), at(2)]);
    expect(isAll).toBe(true);
  });

  it('are cut at so many, the oldest first', () => {
    const { items, isAll } = newestEvents([lifted(2), lifted(9), lifted(5)], kinds, 2);
    expect(items.map((event) => event.at)).toEqual([at(9), at(5)]);
    expect(isAll).toBe(false);
  });

  it('of one moment stand in the order in which a change does its work', () => {
    const one = { at: at(1), by: null };
    const events: AnyEvent[] = [
      { kind: 'corrected', ...one, from: 'a@x.uk', to: 'b@x.uk' },
      { kind: 'verified', ...one, verdict: 'valid', risk: 0, run: null },
      { kind: 'suppressed', ...one, domain: null, reason: 'manual', note: null, fileName: null },
    ];
    expect(newestEvents(events, kinds, 9).items.map(({ kind }) => kind)).toEqual([
      'verified',
      'suppressed',
      'corrected',
    ]);
  });
});
