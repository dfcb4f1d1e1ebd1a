import { describe, expect, it } from 'vitest';
import { Batches } from './batches.ts';

/** Work that begins at once and ends when it is told to. */
function held(options = { most: 3, lanes: 2 }) {
  const begun: { key: string; items: number[]; end: (results?: string[]) => void; fail: () => void }[] = [];
  const batches = new Batches<string, number, string>((key, items) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    begun.push({
      ...{ key, items, end: (results = items.map(String)) => resolve(results) },
      fail: () => reject(new Error(`${key} failed`)),
    });
    return promise;
  }, options);
  return { batches, begun };
}
const soon = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('batches', () => {
  it('hold what gathers while the one before is under way, up to their size', async () => {
    const { batches, begun } = held();
    const first = batches.add('a', 0);
    await soon();
    const rest = [1, 2, 3, 4].map((item) => batches.add('a', item));
    await soon();
    expect(begun.map(({ items }) => items)).toEqual([[0]]);
    begun[0]?.end();
    expect(await first).toBe('0');
    await soon();
    begun[1]?.end();
    await soon();
    begun[2]?.end();
    expect(await Promise.all(rest)).toEqual(['1', '2', '3', '4']);
    expect(begun.map(({ items }) => items)).toEqual([[0], [1, 2, 3], [4]]);
  });

  it('of one key are neither delayed nor failed by those of another', async () => {
    const { batches, begun } = held();
    const [slow, quick] = [batches.add('slow', 1), batches.add('quick', 2)];
    await soon();
    begun[1]?.end();
    expect(await quick).toBe('2');
    const again = batches.add('quick', 3);
    await soon();
    begun[0]?.fail();
    await expect(slow).rejects.toThrow('slow failed');
    begun[2]?.end();
    expect(await again).toBe('3');
  });

  it('take turns by key where too many wait', async () => {
    const { batches, begun } = held({ most: 1, lanes: 1 });
    for (const item of [1, 2]) void batches.add('a', item);
    void batches.add('b', 3);
    for (let turn = 0; turn < 3; turn++) {
      await soon();
      begun[turn]?.end();
    }
    expect(begun.map(({ key, items }) => [key, ...items])).toEqual([
      ['a', 1],
      ['b', 3],
      ['a', 2],
    ]);
  });
});
