import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const aMinute = 60_000;

/** Asks for a turn and records in `order` who got one. Returns how to give it back. */
async function ask(queue: FairQueue, workspaceId: number | null, order: string[], name: string) {
  const leave = await queue.enter(workspaceId, aMinute);
  order.push(name);
  return leave;
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a fair queue', () => {
  it('keeps turns free of one workspace for the others', async () => {
    const queue = new FairQueue({ size: 3, each: 2 });
    const order: string[] = [];
    const first = await ask(queue, 1, order, 'one');
    await ask(queue, 1, order, 'two');
    const third = ask(queue, 1, order, 'three');
    await ask(queue, 2, order, 'another');
    await settled();
    expect(order).toEqual(['one', 'two', 'another']);
    expect(queue.waiting).toBe(1);
    first();
    await third;
    expect(order).toEqual(['one', 'two', 'another', 'three']);
  });

  it('takes those who wait in turn by workspace', async () => {
    const queue = new FairQueue({ size: 1, each: 1 });
    const order: string[] = [];
    const leave = await queue.enter(9, aMinute);
    for (const [workspaceId, name] of [
      [1, '1a'],
      [1, '1b'],
      [1, '1c'],
      [2, '2a'],
      [null, 'sign-in'],
    ] as const)
      void ask(queue, workspaceId, order, name).then((done) => done());
    await settled();
    leave();
    await settled();
    await settled();
    expect(order).toEqual(['1a', '2a', 'sign-in', '1b', '1c']);
  });

  it('sends away who has waited too long, and gives nobody their turn', async () => {
    const queue = new FairQueue({ size: 1, each: 1 });
    const leave = await queue.enter(1, aMinute);
    await expect(queue.enter(2, 5)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 });
    expect(queue.waiting).toBe(0);
    leave();
    leave();
    await queue.enter(3, 5);
    await expect(queue.enter(3, 5)).rejects.toThrow('Too much is going on');
  });
});
