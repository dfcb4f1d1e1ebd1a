import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetDraft, forgetDrafts, keepDraft, keptDraft, openDrafts } from './kept-drafts.ts';

/** A browser's storage with room for so many characters. */
function storageFor(room: number): Storage {
  const kept: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => {
      const others = Object.entries(kept).filter(([name]) => name !== key);
      if (others.join('').length + key.length + value.length > room) throw new Error('QuotaExceededError');
      kept[key] = value;
    },
    removeItem: (key: string) => {
      delete kept[key];
    },
  };
  return new Proxy(methods, {
    ownKeys: () => Reflect.ownKeys(kept),
    getOwnPropertyDescriptor: (_, key) => Object.getOwnPropertyDescriptor(kept, key),
  }) as unknown as Storage;
}

let heard: ((event: { key: string }) => void) | undefined;
function browser(localStorage: Storage | undefined): void {
  vi.stubGlobal('window', {
    get localStorage() {
      if (!localStorage) throw new Error('SecurityError');
      return localStorage;
    },
    addEventListener: (_: string, listener: typeof heard) => {
      heard = listener;
    },
    removeEventListener: () => {},
  });
  openDrafts();
}
beforeEach(() => browser(storageFor(1_000)));
afterAll(() => {
  openDrafts();
  vi.unstubAllGlobals();
});

const day = 86_400_000;

describe('drafts of this browser', () => {
  it('are kept by name until they are forgotten', () => {
    const at = new Date();
    expect(keepDraft('a', { text: 'A' }, at)).toBe(true);
    expect(keptDraft('a')).toEqual({ at: at.toISOString(), content: { text: 'A' } });
    expect(keptDraft('b')).toBeNull();
    forgetDraft('a');
    expect(keptDraft('a')).toBeNull();
  });

  it('give way to newer ones, the oldest first, and are forgotten after 30 days', () => {
    keepDraft('old', 'x'.repeat(300), new Date(Date.now() - 2 * day));
    keepDraft('newer', 'x'.repeat(300), new Date(Date.now() - day));
    expect(keepDraft('now', 'x'.repeat(400))).toBe(true);
    expect([keptDraft('old'), keptDraft('newer')?.content, keptDraft('now')?.content]).toEqual([
      null,
      'x'.repeat(300),
      'x'.repeat(400),
    ]);
    expect(keepDraft('large', 'x'.repeat(2_000))).toBe(false);
    keepDraft('ancient', 'x', new Date(Date.now() - 31 * day));
    expect(keptDraft('ancient')).toBeNull();
  });

  it('are gone with whoever signs out, also from other windows, and kept again afterwards', () => {
    keepDraft('a', 'A');
    window.localStorage.setItem('colour-scheme', 'dark');
    forgetDrafts();
    expect(keptDraft('a')).toBeNull();
    expect(window.localStorage.getItem('colour-scheme')).toBe('dark');
    // A page that goes writes what it has once more.
    expect(keepDraft('a', 'A')).toBe(false);
    openDrafts();
    expect(keepDraft('a', 'A')).toBe(true);
    heard?.({ key: 'unsaved-forgotten' });
    expect(keepDraft('a', 'B')).toBe(false);
  });

  it('are none where the browser keeps nothing, or somebody else wrote there', () => {
    window.localStorage.setItem('unsaved:a', '{"at":7}');
    expect(keptDraft('a')).toBeNull();
    browser(undefined);
    expect(keepDraft('a', 'A')).toBe(false);
    expect(keptDraft('a')).toBeNull();
    forgetDraft('a');
    forgetDrafts();
  });
});
