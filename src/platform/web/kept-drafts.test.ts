import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DraftWriter } from './draft-writer.ts';
import {
  countDrafts,
  forgetDrafts,
  forgetDraft as forgetNamed,
  freeName,
  keepDraft as keepNamed,
  keptDraftsOf,
  keptDraft as keptNamed,
  openDrafts,
} from './kept-drafts.ts';

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

const person = '7';
const keepDraft = (name: string, content: unknown, at?: Date) => keepNamed({ person, name }, content, at);
const keptDraft = (name: string) => keptNamed({ person, name });
const forgetDraft = (name: string) => forgetNamed({ person, name });

let heard: ((event: { key: string; newValue: string }) => void) | undefined;
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

  it('stay where one comes that is too large for all the room there is', () => {
    keepDraft('old', 'x'.repeat(300), new Date(Date.now() - 2 * day));
    keepDraft('newer', 'x'.repeat(300), new Date(Date.now() - day));
    keepDraft('large', 'x'.repeat(10));
    expect(keepDraft('large', 'x'.repeat(2_000))).toBe(false);
    expect(['old', 'newer', 'large'].map((name) => String(keptDraft(name)?.content).length)).toEqual([
      300, 300, 10,
    ]);
  });

  it('take a place beside what is undecided of the same thing, as long as there is one', () => {
    const of = { person, name: 'campaign:3:7' };
    expect(freeName(of)).toEqual(of);
    const at = Date.now() - day;
    for (let count = 0; count < 6; count += 1) {
      const name = freeName(of);
      if (name) keepNamed(name, count, new Date(at + count));
    }
    expect(freeName(of)).toBeNull();
    expect(keptDraftsOf(of).map(({ content }) => content)).toEqual([5, 4, 3, 2, 1, 0]);
    // That of another campaign is not among them.
    const another = { person, name: 'campaign:3:71' };
    expect([keptDraftsOf(another), freeName(another)]).toEqual([[], another]);
    const [newest] = keptDraftsOf(of);
    if (newest) forgetNamed(newest.name);
    expect(freeName(of)).toEqual(newest?.name);
    forgetDrafts(person);
    expect(keptDraftsOf(of)).toEqual([]);
  });

  it('are gone with whoever wants none left, also from other windows, and kept again afterwards', () => {
    keepDraft('a', 'A');
    window.localStorage.setItem('colour-scheme', 'dark');
    forgetDrafts(person);
    expect(keptDraft('a')).toBeNull();
    expect(window.localStorage.getItem('colour-scheme')).toBe('dark');
    // A page that goes writes what it has once more.
    expect(keepDraft('a', 'A')).toBe(false);
    openDrafts();
    expect(keepDraft('a', 'A')).toBe(true);
    heard?.({ key: 'unsaved-forgotten', newValue: '8 2026-11-23T07:00:00Z' });
    expect(keepDraft('a', 'A')).toBe(true);
    heard?.({ key: 'unsaved-forgotten', newValue: '7 2026-11-23T07:00:00Z' });
    expect(keepDraft('a', 'B')).toBe(false);
  });

  it('belong to whoever wrote them, and to nobody else who uses the browser', () => {
    const ben = { person: '77', name: 'a' };
    keepDraft('a', 'of Ann');
    expect(keptNamed(ben)).toBeNull();
    keepNamed(ben, 'of Ben');
    expect([keptDraft('a')?.content, keptNamed(ben)?.content]).toEqual(['of Ann', 'of Ben']);
    expect([countDrafts(person), countDrafts('77'), countDrafts('8')]).toEqual([1, 1, 0]);
    forgetDrafts(person);
    expect([keptDraft('a'), keptNamed(ben)?.content]).toEqual([null, 'of Ben']);
    // The next person may keep theirs at once.
    expect(keepNamed(ben, 'of Ben again')).toBe(true);
  });

  it('are none where the browser keeps nothing, or somebody else wrote there', () => {
    window.localStorage.setItem('unsaved:a', '{"at":7}');
    expect(keptDraft('a')).toBeNull();
    browser(undefined);
    expect(keepDraft('a', 'A')).toBe(false);
    expect(keptDraft('a')).toBeNull();
    forgetDraft('a');
    forgetDrafts(person);
    expect(countDrafts(person)).toBe(0);
  });
});

describe('what one page writes', () => {
  const of = { person, name: 'campaign:3:7' };
  const written = () => keptDraftsOf(of).map(({ content }) => content);
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  /** A page with this text, written a moment ago. */
  function page(text: string) {
    const writer = new DraftWriter();
    const told: boolean[] = [];
    const write = (next: string) => {
      writer.plan(
        of,
        () => next,
        (isKept) => told.push(isKept),
      );
      vi.advanceTimersByTime(1_000);
    };
    write(text);
    return { writer, write, told };
  }

  it('is written once, and told where there is no room', () => {
    const { writer, write, told } = page('A');
    expect([writer.hurry(), written(), told]).toEqual([true, ['A'], [true]]);
    write('x'.repeat(2_000));
    expect([writer.hurry(), told]).toEqual([false, [true, false, false]]);
    writer.forget();
    expect([writer.hurry(), written()]).toEqual([false, []]);
  });

  it('is written again where another window discarded it or the browser had no room', () => {
    const { writer } = page('A');
    forgetNamed(of);
    expect([writer.hurry(), written()]).toEqual([true, ['A']]);
    vi.advanceTimersByTime(1_000);
    keepDraft('large', 'x'.repeat(900));
    expect([written(), writer.hurry(), written(), keptDraft('large')]).toEqual([[], true, ['A'], null]);
  });

  it('stands beside what another window made of it, and takes nothing of that away', () => {
    const { writer, write } = page('A');
    const [found] = keptDraftsOf(of);
    if (!found) throw new Error('nothing is kept');
    const other = page('B');
    expect(other.writer.goOnIn(of, found).name).toEqual({ person, name: 'campaign:3:7+1' });
    other.write('A of B');
    expect([writer.hurry(), written().sort()]).toEqual([true, ['A', 'A of B', 'B']]);
    write('AA');
    expect(written()).toContain('A of B');
    writer.forget();
    expect(written()).toEqual(['A of B', 'B']);
  });
});
