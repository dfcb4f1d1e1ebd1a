import { describe, expect, it } from 'vitest';
import { estimatedBy, exactBy } from './suppressed-by.ts';

describe('why contacts are suppressed', () => {
  it('is explained by their domain where they have no entry', () => {
    expect(exactBy({ unsubscribed: 603, bounced: 188 }, 800)).toEqual({
      ...{ reasons: { unsubscribed: 603, bounced: 188 }, domains: 9, isEstimate: false },
    });
    expect(exactBy({ manual: 5 }, 5).domains).toBe(0);
  });

  it('is estimated from samples of each reason, with two digits', () => {
    const samples = [
      { reason: 'unsubscribed', entries: 300_000, looked: 1_000, contacts: 500 },
      { reason: 'bounced', entries: 100_000, looked: 1_000, contacts: 251 },
      { reason: 'erased', entries: 4_000, looked: 1_000, contacts: 0 },
    ] as const;
    expect(estimatedBy(samples, 185_432, true)).toEqual({
      ...{ reasons: { unsubscribed: 150_000, bounced: 25_000 }, domains: 10_000, isEstimate: true },
    });
    // Nothing else explains the rest, and no more are explained than there are.
    expect(estimatedBy(samples, 350_200, false)?.reasons).toEqual({ unsubscribed: 300_000, bounced: 50_000 });
    expect(estimatedBy(samples, 87_550, true)).toMatchObject({
      reasons: { unsubscribed: 75_000 },
      domains: 0,
    });
  });

  it('is not estimated where samples found few', () => {
    const sample = { reason: 'manual', entries: 300_000, looked: 1_000 } as const;
    expect(estimatedBy([{ ...sample, contacts: 99 }], 30_000, true)).toBeNull();
    expect(estimatedBy([{ ...sample, contacts: 100 }], 30_000, true)).not.toBeNull();
  });
});
