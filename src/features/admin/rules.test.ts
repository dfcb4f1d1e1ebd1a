import { describe, expect, it } from 'vitest';
import { growth, percentOf, processingFigures, subscriptionFigures } from './rules.ts';

describe('subscriptionFigures', () => {
  it('counts users on a free plan as users, not as subscriptions', () => {
    expect(subscriptionFigures([{ planId: 'free', monthlyPrice: 0, users: 7, usersThen: 3 }])).toEqual({
      activeSubscriptions: 0,
      subscriptionGrowth: 0,
      monthlyRevenue: 0,
      revenueGrowth: 0,
      planDistribution: [{ planId: 'free', userCount: 7, monthlyValue: 0 }],
    });
  });

  it('adds paid plans up to the penny, and compares them with the beginning of the month', () => {
    const figures = subscriptionFigures([
      { planId: 'free', monthlyPrice: 0, users: 100, usersThen: 90 },
      { planId: 'pro', monthlyPrice: 19.99, users: 3, usersThen: 2 },
      { planId: 'team', monthlyPrice: 49, users: 1, usersThen: 2 },
    ]);
    expect(figures.activeSubscriptions).toBe(4);
    expect(figures.subscriptionGrowth).toBe(0);
    expect(figures.monthlyRevenue).toBe(108.97);
    // 108.97 against 137.98.
    expect(figures.revenueGrowth).toBe(-21);
    expect(figures.planDistribution.map(({ monthlyValue }) => monthlyValue)).toEqual([0, 59.97, 49]);
  });
});

describe('growth', () => {
  it.each([
    [0, 0, 0],
    [5, 0, 100],
    [0, 5, -100],
    [3, 2, 50],
    [1004, 1000, 0.4],
  ])('from then to now: %d after %d is %d per cent', (now, then, expected) => {
    expect(growth(now, then)).toBe(expected);
  });
});

describe('percentOf', () => {
  it('says 100 only when nothing is missing', () => {
    expect(percentOf(999_999, 1_000_000)).toBe(99.99);
    expect(percentOf(1_000_000, 1_000_000)).toBe(100);
    expect(percentOf(1, 3)).toBe(33.33);
    expect(percentOf(0, 0)).toBe(0);
  });
});

describe('processingFigures', () => {
  it('tells nothing of no imports', () => {
    expect(processingFigures({ imports: 0, rows: 0, seconds: 0 })).toMatchObject({
      seconds: null,
      secondsPer100k: null,
    });
  });

  it('divides by imports and by rows', () => {
    expect(processingFigures({ imports: 4, rows: 800_000, seconds: 10 })).toMatchObject({
      seconds: 2.5,
      secondsPer100k: 1.25,
    });
  });
});
