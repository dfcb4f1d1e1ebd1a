import { describe, expect, it } from 'vitest';
import { withContext } from '#platform/server/call-context.ts';
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
  it('let two of a workspace run, the others of it in the order in which they came', async () => {
    const { begun, work, settle, end } = bench();
    const inTurn = takeTurns();
    const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => inTurn(1, work(name))));
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

  it('are there for other workspaces, however long those of one take', async () => {
    const { begun, work, settle, end } = bench();
    const inTurn = takeTurns();
    const endless = ['a', 'b', 'c', 'd'].map((name) => inTurn(1, work(name)));
    const other = inTurn(2, work('other'));
    await settle();
    expect(begun).toEqual(['a', 'b', 'other']);
    // All turns are taken. The third workspace comes before what else the first has waiting.
    const third = inTurn(3, work('third'));
    end('a');
    await settle();
    expect(begun).toEqual(['a', 'b', 'other', 'c']);
    end('b');
    await settle();
    expect(begun).toEqual(['a', 'b', 'other', 'c', 'third']);
    for (const name of ['other', 'third', 'c', 'd']) {
      end(name);
      await settle();
    }
    expect(await Promise.all([...endless, other, third])).toEqual(['a', 'b', 'c', 'd', 'other', 'third']);
  });

  it('are refused to one person who has too many waiting, and to nobody else', async () => {
    const { work, settle, end } = bench();
    const inTurn = takeTurns();
    const as = <T>(person: string, ask: () => T) => withContext({ person }, ask);
    const hers = Array.from({ length: 52 }, (_, at) => as('ann', () => inTurn(1, work(`ann ${at}`))));
    const refused = as('ann', () => inTurn(1, work('too many')));
    await expect(refused).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 });
    const his = as('bob', () => inTurn(1, work('bob')));
    await settle();
    for (const name of [...hers.map((_, at) => `ann ${at}`).toSpliced(3, 0, 'bob')]) {
      end(name);
      await settle();
    }
    expect(await his).toBe('bob');
    expect(await Promise.all(hers)).toHaveLength(52);
  });

  it('pass over whoever has gone, and go on after what failed', async () => {
    const { begun, work, settle, end } = bench();
    const inTurn = takeTurns();
    const call = new AbortController();
    const failing = inTurn(1, () => Promise.reject(new Error('broken')));
    const left = inTurn(1, work('left'), call.signal);
    const gone = inTurn(2, work('gone'), AbortSignal.abort(new Error('called off')));
    const last = inTurn(1, work('last'), new AbortController().signal);
    call.abort(new Error('hung up'));
    await expect(left).rejects.toThrow('hung up');
    await expect(failing).rejects.toThrow('broken');
    await expect(gone).rejects.toThrow('called off');
    await settle();
    expect(begun).toEqual(['last']);
    end('last');
    expect(await last).toBe('last');
    // Its turn was given back, so the next begins at once.
    const next = inTurn(1, work('next'));
    await settle();
    end('next');
    expect(await next).toBe('next');
  });
});
