import { describe, expect, it } from 'vitest';
import {
  newTest,
  newVariant,
  testDraftOf,
  testOf,
  withOneMore,
  withoutVariant,
  withVariant,
} from './test-draft.ts';

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

  it('takes what comes late into the variant that it is for, and nothing for one that is gone', () => {
    const three = withOneMore(newTest());
    const [b, c] = three.variants.map(({ key }) => key);
    if (b === undefined || c === undefined) throw new Error('there are no two variants');
    const both = [b, c].reduce((test, key) => withVariant(test, key, { content: `of ${key}` }), three);
    expect(both.variants.map(({ content }) => content)).toEqual([`of ${b}`, `of ${c}`]);
    const gone = withoutVariant(three, b);
    expect(withVariant(gone, b, { content: 'late' })).toEqual(gone);
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
