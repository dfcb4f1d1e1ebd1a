import { describe, expect, it } from 'vitest';
import type { View } from '../contract.ts';
import { noteRenamed, noteShown, versionSeen } from './view-version.ts';

const opened = '2026-11-27T10:00:00.000Z';
const later = '2026-11-27T10:05:00.000Z';

/** Each test has a view of its own: what was seen of views is kept as long as the page. */
const viewOf = (id: number): View => ({
  ...{ id, screen: 'contacts', name: 'Kent schools', shared: false, isOwn: true, madeBy: 'Ann' },
  ...{ state: { search: 'kent.sch' }, problem: null, createdAt: opened, updatedAt: opened },
});
const openedView = (id: number): View => {
  const view = viewOf(id);
  noteShown(view, view.state);
  return view;
};

describe('the version that somebody’s changes are based on', () => {
  it('is the new one once they have renamed the view, with changes that are not saved', () => {
    const before = openedView(1);
    const view = { ...before, name: 'Pupils', updatedAt: later };
    noteRenamed(before, view);
    noteShown(view, { search: 'hadlow' });
    expect(versionSeen(1)).toBe(later);
  });

  it('stays the one they saw if somebody else has changed the view before it was renamed', () => {
    const theirs = { ...openedView(2), state: { search: 'york' }, updatedAt: '2026-11-27T10:01:00.000Z' };
    noteShown(theirs, { search: 'hadlow' });
    noteRenamed(theirs, { ...theirs, name: 'Pupils', updatedAt: later });
    expect(versionSeen(2)).toBe(opened);
  });

  it('stays the one they saw if somebody else has changed the view while it was being renamed', () => {
    const before = openedView(3);
    noteRenamed(before, { ...before, name: 'Pupils', state: { search: 'york' }, updatedAt: later });
    expect(versionSeen(3)).toBe(opened);
  });
});
