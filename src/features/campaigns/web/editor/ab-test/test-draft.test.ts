import { describe, expect, it } from 'vitest';
import { newTest, newVariant, testDraftOf, testOf } from './test-draft.ts';

describe('an A/B test as it is written', () => {
  it('is none until a variant says something', () => {
    expect(testOf(null)).toBeNull();
    expect(testOf(newTest())).toBeNull();
    expect(testOf({ ...newTest(), variants: [{ ...newVariant(1), subject: '  ' }] })).toBeNull();
  });

  it('stores what differs, and nothing that was written before that was chosen', () => {
    const written = { ...newVariant(1), subject: 'Tea', content: 'Other words', delayHours: 3 };
    const variants = [written, newVariant(2)];
    expect(testOf({ ...newTest(), variants })?.variants).toEqual([{ subject: 'Tea' }]);
    expect(testOf({ ...newTest(), differs: 'content', variants })?.variants).toEqual([
      { content: 'Other words' },
    ]);
    expect(testOf({ ...newTest(), differs: 'hour', variants })?.variants).toEqual([{ delayHours: 3 }]);
    expect(testOf({ ...newTest(), differs: 'sender', variants })).toBeNull();
  });

  it('comes back as it was stored', () => {
    for (const variant of [
      { differs: 'subject' as const, variants: [{ subject: 'Tea', preheader: 'Hot' }] },
      { differs: 'sender' as const, variants: [{ fromName: 'Jane' }, { fromAddress: 'jane@shop.co.uk' }] },
    ]) {
      const test = { share: 30, decideBy: 'opens' as const, hours: 6, ...variant };
      expect(testOf(testDraftOf(test))).toEqual(test);
    }
  });
});
