import { describe, expect, it } from 'vitest';
import { takeTurns } from './turns.ts';

/** Work that ends when told to, and a record of what has begun so far. */
function bench() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.set(name, () => resolve(name));
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { begun, work, settle, end: (name: string) => ends.get(name)?.() };
}

describe('turns', () => {
  it('let so many run at once, the others in the order in which they came', async () => {
    const { begun, work, settle, end } = bench();
    const inTurn = takeTurns(2);
    const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => inTurn(work(name))));
    await settle();
    expect(begun).toEqual(['a', 'b']);
    end('b');
    await settle();
    expect(begun).toEqual(['a', 'b', 'c']);
    end('a');
    await settle();
    end('c');
    end('d');
    expect(await all).toEqual(['a', 'b', 'c', 'd']);
  });

  it('pass over whoever has gone, and go on after what failed', async () => {
    const { begun, work, settle, end } = bench();
    const inTurn = takeTurns(1);
    const failing = inTurn(() => Promise.reject(new Error('broken')));
    const gone = inTurn(work('gone'), AbortSignal.abort(new Error('called off')));
    const last = inTurn(work('last'), new AbortController().signal);
    await expect(failing).rejects.toThrow('broken');
    await expect(gone).rejects.toThrow('called off');
    await settle();
    expect(begun).toEqual(['last']);
    end('last');
    expect(await last).toBe('last');
    // Its turn was given back, so the next begins at once.
    const next = inTurn(work('next'));
    await settle();
    end('next');
    expect(await next).toBe('next');
  });
});
