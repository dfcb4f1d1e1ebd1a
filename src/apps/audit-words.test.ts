import { describe, expect, it } from 'vitest';
import { auditLanguage } from '#features/audit/rules.ts';
import { once } from '#platform/shared/feature-words.ts';
import { features } from './features.ts';

const { areas, actionWords, detailWords } = auditLanguage(features.map(({ words }) => words?.audit));

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
    expect(detailWords(details)).toBe('changes: check MX records: no → yes');
  });

  it.each([
    [
      { nonUk: 592, removed: 1520, removalId: 2, invalid: 928, duplicates: 0 },
      '1,520 removed, 928 invalid, 592 non-UK, removal 2',
    ],
    [{ email: 'a@b.uk', checkSuppressions: true }, 'email: a@b.uk'],
    [{ email: 'a@b.uk', checkSuppressions: false }, 'email: a@b.uk, whatever the suppression list says'],
    [{ named: 104, removed: 104, end: 'failed' }, '104 removed, broken off, 104 contacts named one by one'],
    [{ lifted: 2, named: 2 }, '2 taken off, 2 entries named one by one'],
    [{ filter: {}, lifted: 0 }, '0 taken off, all, without a filter'],
    [{ filter: { status: 'active', search: 'jo' }, added: 1 }, '1 added, filter: search: jo, status: active'],
    [{ to: 'admin', from: 'viewer', email: 'a@b.uk' }, 'email: a@b.uk, viewer → admin'],
    [
      { name: { from: 'Kent', to: 'Wales' }, shared: { from: false, to: true } },
      'name: Kent → Wales, shared: no → yes',
    ],
    [
      { contacts: 12345, verdicts: { risky: 1200, valid: 3 }, dns: false, selection: null },
      '12,345 contacts, verdicts: risky: 1,200, valid: 3',
    ],
    [
      { contacts: 2, dns: true, selection: { ids: [1, 2] } },
      '2 contacts, 2 contacts named one by one, mail servers looked up',
    ],
    [{ somethingNew: 1234567, id: 12345, isOdd: true }, 'id: 12345, is odd: yes, something new: 1,234,567'],
    [{ createdAt: '2026-01-02T10:00:00.000Z' }, 'created at: 2 January 2026'],
  ])('%j is "%s"', (details, words) => {
    expect(detailWords(details)).toBe(words);
  });

  it('has its areas in the order that features give them', () => {
    const declared = new Map(once(features.map(({ words }) => words?.audit?.areas)));
    const orders = areas.map(({ name }) => declared.get(name)?.order ?? Number.NaN);
    expect(orders).toHaveLength(declared.size);
    // Two of the same order would have none.
    expect(orders).toEqual([...new Set(orders)].sort((one, other) => one - other));
  });

  it('has the areas of the screen in its order, whatever else there is', () => {
    const known = ['People', 'Accounts', 'API keys', 'Contacts', 'Suppressions', 'Imports', 'Settings'];
    const labels = areas.map(({ label }) => label);
    expect(labels.filter((label) => known.includes(label))).toEqual(known);
  });
});
