import { describe, expect, it } from 'vitest';
import { AppError } from '#platform/shared/errors.ts';
import { FairQueue, type Guest } from './fair-queue.ts';

const patient = { waitMs: 60_000 };
const hasty = { waitMs: 5 };
const from = (workspaceId: number | null, person: string | null = null): Guest => ({ workspaceId, person });

/** Asks for a turn and records in `order` who got one. Returns how to give it back. */
async function ask(queue: FairQueue, guest: Guest, order: string[], name: string) {
  const leave = await queue.enter(guest, patient);
  order.push(name);
  return leave;
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a fair queue', () => {
  it('keeps turns free of one workspace for the others', async () => {
    const queue = new FairQueue({ size: 3, each: 2 });
    const order: string[] = [];
    const first = await ask(queue, from(1), order, 'one');
    await ask(queue, from(1), order, 'two');
    const third = ask(queue, from(1), order, 'three');
    await ask(queue, from(2), order, 'another');
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
    const leave = await queue.enter(from(9), patient);
    for (const [workspaceId, name] of [
      [1, '1a'],
      [1, '1b'],
      [1, '1c'],
      [2, '2a'],
      [null, 'sign-in'],
    ] as const)
      void ask(queue, from(workspaceId), order, name).then((done) => done());
    await settled();
    leave();
    await settled();
    await settled();
    expect(order).toEqual(['1a', '2a', 'sign-in', '1b', '1c']);
  });

  it('keeps turns free of one person for the others in the workspace', async () => {
    const queue = new FairQueue({ size: 4, each: 3, eachPerson: 2 });
    const order: string[] = [];
    const turns = [
      ...['ann 1', 'ann 2', 'ann 3'].map((name) => ask(queue, from(1, 'ann'), order, name)),
      ...['bob 1', 'bob 2'].map((name) => ask(queue, from(1, 'bob'), order, name)),
      // Two workspaces may have a person of the same name.
      ask(queue, from(2, 'ann'), order, 'another'),
    ];
    await settled();
    expect(order).toEqual(['ann 1', 'ann 2', 'bob 1', 'another']);
    // Nobody is left waiting: they would lose patience while another test runs.
    await Promise.all(turns.map(async (turn) => (await turn)()));
    expect(queue.waiting).toBe(0);
  });

  it('takes those who wait in turn by person', async () => {
    const queue = new FairQueue({ size: 1, each: 1, eachPerson: 1 });
    const order: string[] = [];
    const leave = await queue.enter(from(9, 'zoe'), patient);
    for (const [person, name] of [
      ['ann', 'ann 1'],
      ['ann', 'ann 2'],
      ['ann', 'ann 3'],
      ['bob', 'bob 1'],
      ['cat', 'cat 1'],
    ] as const)
      void ask(queue, from(1, person), order, name).then((done) => done());
    void ask(queue, from(2, 'dan'), order, 'dan 1').then((done) => done());
    await settled();
    leave();
    for (let turn = 0; turn < 3; turn++) await settled();
    expect(order).toEqual(['ann 1', 'dan 1', 'bob 1', 'cat 1', 'ann 2', 'ann 3']);
  });

  it('sends away who has waited too long, and gives nobody their turn', async () => {
    const queue = new FairQueue({ size: 1, each: 1 });
    const leave = await queue.enter(from(1), patient);
    await expect(queue.enter(from(2), hasty)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 });
    expect(queue.waiting).toBe(0);
    leave();
    leave();
    await queue.enter(from(3), hasty);
    await expect(queue.enter(from(3), hasty)).rejects.toThrow('Too much is going on');
  });

  it('says what somebody waited for in vain', async () => {
    const refusal = (fullness: string) => new AppError('unavailable', fullness);
    const queue = new FairQueue({ size: 3, each: 2, eachPerson: 1, line: 1, refusal });
    await queue.enter(from(1, 'ann'), patient);
    await expect(queue.enter(from(1, 'ann'), hasty)).rejects.toThrow('person');
    await queue.enter(from(1, 'bob'), patient);
    await expect(queue.enter(from(1, 'cat'), hasty)).rejects.toThrow('workspace');
    await queue.enter(from(2, 'dan'), patient);
    await expect(queue.enter(from(3, 'eve'), hasty)).rejects.toThrow('all');
    const waiting = queue.enter(from(1, 'ann'), hasty);
    // At once, because more could not get their turn in time.
    await expect(queue.enter(from(1, 'ann'), patient)).rejects.toThrow('line');
    await expect(waiting).rejects.toThrow('person');
  });

  it('lets go whoever hangs up, and gives nobody their turn', async () => {
    const queue = new FairQueue({ size: 1, each: 1 });
    const leave = await queue.enter(from(1), patient);
    const call = new AbortController();
    const waiting = queue.enter(from(2), { ...patient, gone: call.signal });
    call.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(queue.waiting).toBe(0);
    await expect(queue.enter(from(2), { ...patient, gone: call.signal })).rejects.toThrow('gone');
    leave();
    await queue.enter(from(3), hasty);
  });

  it('serves every caller once, whoever comes, goes and loses patience', async () => {
    const queue = new FairQueue({ size: 4, each: 3, eachPerson: 2 });
    const atWork = new Map<string, number>();
    let most = 0;
    let total = 0;
    let served = 0;
    const count = (key: string, by: number) => atWork.set(key, (atWork.get(key) ?? 0) + by);
    const calls = Array.from({ length: 300 }, async (_, at) => {
      const guest = from((at % 4) + 1, `person ${at % 3}`);
      const call = new AbortController();
      if (at % 7 === 0) setTimeout(() => call.abort(new Error('gone')), at % 5);
      const leave = await queue.enter(guest, { ...patient, gone: call.signal }).catch(() => null);
      if (!leave) return;
      const keys = [`${guest.workspaceId}`, `${guest.workspaceId} ${guest.person}`];
      for (const key of keys) count(key, 1);
      total += 1;
      most = Math.max(most, total);
      expect(atWork.get(keys[0] as string)).toBeLessThanOrEqual(3);
      expect(atWork.get(keys[1] as string)).toBeLessThanOrEqual(2);
      await settled();
      for (const key of keys) count(key, -1);
      total -= 1;
      served += 1;
      leave();
    });
    await Promise.all(calls);
    expect(most).toBe(4);
    expect(served).toBeGreaterThanOrEqual(257);
    expect(queue.waiting).toBe(0);
  });
});
