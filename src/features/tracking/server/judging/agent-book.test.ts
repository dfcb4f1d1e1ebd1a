import { afterEach, describe, expect, it, vi } from 'vitest';
import { AgentBook, hashOf } from './agent-book.ts';

afterEach(() => vi.useRealTimers());

describe('a book of what programs call themselves', () => {
  it('has those that are not written down yet, for each workspace, and again after a day', () => {
    vi.useFakeTimers();
    const book = new AgentBook();
    const { agentHash } = book.judge('Mozilla/5.0 (X11; Linux) Firefox/140.0', 'open', false);
    const other = book.judge('curl/8', 'click', false).agentHash;
    const unwritten = (workspaceId: number) =>
      book.unwritten(workspaceId, [agentHash, null, agentHash]).map(({ hash }) => hash);
    expect(unwritten(1)).toEqual([agentHash]);
    expect(unwritten(1)).toEqual([agentHash]);
    book.wrote(1, [{ hash: agentHash }]);
    expect(unwritten(1)).toEqual([]);
    expect(unwritten(2)).toEqual([agentHash]);
    expect(book.unwritten(1, [other, agentHash])).toEqual([{ hash: other, agent: 'curl/8' }]);
    vi.advanceTimersByTime(25 * 3_600_000);
    expect(unwritten(1)).toEqual([agentHash]);
  });

  it('cuts what is too long, and judges what is left of it', () => {
    const book = new AgentBook();
    const { agentHash } = book.judge(`  curl/8 ${'x'.repeat(100_000)}`, 'open', false);
    const [entry] = book.unwritten(1, [agentHash]);
    expect(entry?.agent).toHaveLength(400);
    expect(agentHash).toBe(hashOf(entry?.agent ?? ''));
  });

  it('stays small whoever asks', () => {
    const book = new AgentBook();
    for (let n = 0; n < 50_000; n++) book.judge(`program ${n}`, 'open', false);
    const { agentHash } = book.judge('program 1', 'open', false);
    expect(book.unwritten(1, [agentHash])).toHaveLength(1);
  });
});
