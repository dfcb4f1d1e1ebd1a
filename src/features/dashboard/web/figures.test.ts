import { describe, expect, it } from 'vitest';
import { changeOver, changeSinceImport, figuresOf, type Stats } from './figures.ts';

const now = new Date('2026-11-20T12:00:00Z');
const history = {
  days: ['2026-10-22', '2026-11-01', '2026-11-20'],
  valid: [900, 950, 1200],
  suppressed: [10, 10, 14],
  invalid: [60, 50, 40],
  domains: [300, 300, 300],
};
const stats: Stats = {
  validEmails: 1200,
  validEmailsChange: 17.9,
  validEmailsBeforeImport: 1018,
  suppressedEmails: 14,
  invalidEmails: 40,
  duplicateEmails: 3,
  uniqueDomains: 300,
  totalEmails: 1257,
  history,
};
const withHistory = (change: Partial<Stats['history']>): Stats => ({
  ...stats,
  history: { ...history, ...change },
});

describe('the change of a figure', () => {
  it('is measured from the oldest day and names it', () => {
    expect(changeOver(stats, 'suppressed', now)).toEqual({
      text: '+4',
      since: 'since 22 Oct',
      direction: 'up',
    });
  });

  it('is good or bad only where more plainly is', () => {
    expect(changeOver(stats, 'invalid', now, false)).toMatchObject({
      text: '−20',
      direction: 'down',
      good: true,
    });
    expect(changeOver(withHistory({ invalid: [40, 40, 60] }), 'invalid', now, false)?.good).toBe(false);
    expect(changeOver(stats, 'suppressed', now)).not.toHaveProperty('good');
  });

  it('begins on the first day on which there was a contact', () => {
    const grown = withHistory({ valid: [0, 950, 1200], suppressed: [0, 0, 14], invalid: [0, 30, 40] });
    expect(changeOver(grown, 'invalid', now, false)).toEqual({
      text: '+10',
      since: 'since 1 Nov',
      direction: 'up',
      good: false,
    });
    const new_ = withHistory({ valid: [0, 0, 1200], suppressed: [0, 0, 14], invalid: [0, 0, 40] });
    expect(changeOver(new_, 'invalid', now, false)).toBeUndefined();
  });

  it('says so when nothing changed, and nothing when there is nothing to compare', () => {
    expect(changeOver(stats, 'domains', now)).toEqual({
      text: 'No change',
      since: 'since 22 Oct',
      direction: 'flat',
    });
    expect(changeOver(withHistory({ domains: [0, 0, 0] }), 'domains', now)).toBeUndefined();
    expect(changeOver(withHistory({ days: ['2026-11-20'], domains: [300] }), 'domains', now)).toBeUndefined();
  });
});

describe('the change since the last import', () => {
  it('is the percentage the server gives', () => {
    expect(changeSinceImport(stats, now)).toEqual({
      text: '+17.9%',
      since: 'since before the last import',
      direction: 'up',
      good: true,
    });
    expect(changeSinceImport({ ...stats, validEmailsChange: -2.5 }, now)).toMatchObject({
      text: '−2.5%',
      good: false,
    });
    expect(changeSinceImport({ ...stats, validEmailsChange: 0 }, now)).toMatchObject({ text: 'No change' });
  });

  it.each([0, null])('is that of the history where %s contacts were there before an import', (before) => {
    const first = { ...stats, validEmailsBeforeImport: before, validEmailsChange: before === 0 ? 100 : 0 };
    expect(changeSinceImport(first, now)).toEqual({
      text: '+300',
      since: 'since 22 Oct',
      direction: 'up',
      good: true,
    });
    const onFirstDay = { ...first, history: { ...history, days: ['2026-11-20'], valid: [1200] } };
    expect(changeSinceImport(onFirstDay, now)).toBeUndefined();
  });
});

describe('the four cells', () => {
  it('hold the figures in the order and words of the dashboard', () => {
    expect(figuresOf(stats, now).map(({ label, value }) => [label, value])).toEqual([
      ['Valid Emails', '1,200'],
      ['Suppressed', '14'],
      ['Invalid Emails', '40'],
      ['Unique Domains', '300'],
    ]);
  });

  it('wait without figures while they load', () => {
    expect(figuresOf(undefined, now).map(({ value, change, trend }) => [value, change, trend])).toEqual(
      Array(4).fill([undefined, undefined, undefined]),
    );
  });

  const trendsOf = (change: Partial<Stats['history']>) =>
    figuresOf(withHistory(change), now).map(({ trend }) => trend?.map(({ value }) => value));

  it('draw each figure day by day, with the days before the first contact as the nought they were', () => {
    const valid = [0, 950, 1200];
    expect(trendsOf({ valid, suppressed: [0, 0, 0], invalid: [0, 0, 4] })).toEqual([
      valid,
      [0, 0, 0],
      [0, 0, 4],
      history.domains,
    ]);
  });

  it('name the day of each point', () => {
    const [valid] = figuresOf(stats, now);
    expect(valid?.trend?.map(({ day }) => day)).toEqual(['22 Oct', '1 Nov', 'Today']);
  });

  it('lead to the list that each counts', () => {
    expect(figuresOf(stats, now).map(({ leadsTo }) => leadsTo)).toEqual([
      { to: '/email-database', search: { status: 'active' } },
      { to: '/email-database', search: { status: 'suppressed' } },
      { to: '/email-database', search: { status: 'invalid' } },
      { to: '/email-database', search: { sort: 'domain' } },
    ]);
  });
});
