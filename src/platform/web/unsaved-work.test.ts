import { afterEach, describe, expect, it, vi } from 'vitest';
import { letGoOfWork, noteWork, saveWork, type UnsavedWork } from './unsaved-work.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
  vi.useRealTimers();
});
const note = (work: Partial<UnsavedWork>) =>
  open.push(noteWork({ noun: 'The template', isChanged: true, letGo: () => undefined, ...work }));

describe('what is written when somebody signs out', () => {
  it('is saved where that is possible, and kept otherwise', async () => {
    const keep = vi.fn(() => true);
    note({ save: async () => true, keep });
    expect(await saveWork()).toEqual([]);
    expect(keep).not.toHaveBeenCalled();
    note({ save: async () => false, keep });
    expect(await saveWork()).toEqual([]);
    expect(keep).toHaveBeenCalledOnce();
  });

  it('is named where it would be lost', async () => {
    note({ noun: 'The segment' });
    note({ noun: 'The brand', isChanged: false });
    note({ save: () => Promise.reject(new Error('no answer')), keep: () => false });
    expect(await saveWork()).toEqual(['The segment', 'The template']);
  });

  it('does not hold somebody back whose network is gone', async () => {
    vi.useFakeTimers();
    note({ save: () => new Promise(() => undefined) });
    const left = saveWork();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await left).toEqual(['The template']);
  });

  it('is let go once everybody has been asked, and forgotten with its screen', async () => {
    const letGo = vi.fn();
    note({ letGo });
    letGoOfWork();
    expect(letGo).toHaveBeenCalledOnce();
    for (const close of open.splice(0)) close();
    expect(await saveWork()).toEqual([]);
  });
});
