import { describe, expect, it } from 'vitest';
import { actionWords, areaActions, csvCell, detailWords } from './rules.ts';

describe('the audit log in words', () => {
  it.each([
    ['member.role_changed', 'Role changed'],
    ['contacts.cleaned', 'Contacts cleaned'],
    ['something_new.was_done', 'Something new was done'],
  ])('%s is "%s"', (action, words) => {
    expect(actionWords(action)).toBe(words);
  });

  it('leaves out what says nothing', () => {
    const details = {
      email: 'a@b.uk',
      note: null,
      scopes: ['verify', 'tasks:read'],
      expiresAt: '2026-01-01',
    };
    expect(detailWords(details)).toBe('email: a@b.uk, scopes: verify tasks:read, expires at: 2026-01-01');
  });

  it('says what something was before', () => {
    const details = { changes: { checkMXRecords: { to: true, from: false } } };
    expect(detailWords(details)).toBe('changes: check mxrecords: false → true');
  });

  it('puts each kind of action into one area', () => {
    const all = Object.values(areaActions).flat();
    expect(new Set(all).size).toBe(all.length);
  });
});

it.each([
  ['plain', 'plain'],
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['-1', "'-1"],
  ['a,b', '"a,b"'],
  ['two\nlines', '"two\nlines"'],
])('writes %j as the cell %j', (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});
