import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './api.ts';
import { longestWait, pause, Saver, type SaverOptions, type Sending } from './saver.ts';

interface Draft {
  name: string;
  text: string;
}
/** As a server stores it. A campaign that is scheduled is saved only on purpose. */
interface Stored extends Draft {
  id: number;
  version: number;
  isScheduled: boolean;
}
type SendingOf = Sending<Draft, Stored, number>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const html = (text: string): Pick<Draft, 'text'> => ({ text });
const begin: Draft = { name: 'News', text: '0' };
const textOf = ({ text }: Draft): string => text;

/** As a server would, with a colleague who may save, and a line that may break. */
class Server {
  version = 1;
  text = '0';
  /** What was sent, in order, as `text@version`, with a star where it was automatic. */
  readonly sent: string[] = [];
  /** What becomes of the next saves. */
  readonly next: ('lost before' | 'lost after' | 'cut' | 'refused' | 'failed' | 'signed out')[] = [];
  isCreated = true;
  isScheduled = false;
  delay = 10;
  readonly #made = new Map<SendingOf, Stored>();

  readonly save = async (sending: SendingOf): Promise<Stored> => {
    const { draft, version, isAutomatic } = sending;
    this.sent.push(`${textOf(draft)}@${version ?? '-'}${isAutomatic ? '*' : ''}`);
    const fate = this.next.shift();
    await new Promise((done) => setTimeout(done, this.delay));
    if (fate === 'lost before') throw new ApiError(0, 'No answer', '');
    if (fate === 'failed') throw new ApiError(503, 'Busy', '{"message":"Busy"}', 30);
    if (fate === 'signed out') throw new ApiError(401, 'Unauthorized', '{"message":"Sign in first."}', 20);
    if (fate === 'refused') throw new ApiError(400, 'Bad', '{"message":"Line 3: no end"}');
    const answer = this.#answer(sending);
    if (fate === 'lost after') throw new ApiError(0, 'No answer', '');
    if (fate === 'cut') throw new TypeError('network error');
    return answer;
  };

  readonly read = async (): Promise<Stored> => {
    if (this.next[0] === 'lost before') throw new ApiError(0, 'No answer', '');
    return this.stored();
  };

  colleague(text: string): void {
    this.version += 1;
    this.text = text;
  }

  #answer(sending: SendingOf): Stored {
    const { draft, stored, version } = sending;
    if (stored === null) {
      const known = this.#made.get(sending);
      if (known) return known;
      if (this.isCreated) throw new Error('made twice');
      this.isCreated = true;
      this.text = textOf(draft);
      this.#made.set(sending, this.stored());
      return this.stored();
    }
    if (textOf(draft) === this.text) return this.stored();
    if (version !== this.version)
      throw new ApiError(409, 'Conflict', '{"code":"changed_meanwhile","message":"Ann has changed it."}');
    this.version += 1;
    this.text = textOf(draft);
    return this.stored();
  }

  stored = (): Stored => ({
    ...{ name: 'News', text: this.text, id: 4, version: this.version, isScheduled: this.isScheduled },
  });
}

let server: Server;
const failures: unknown[] = [];
beforeEach(() => {
  server = new Server();
  failures.length = 0;
});

function opened({
  isNew = false,
  ...others
}: { isNew?: boolean } & Partial<SaverOptions<Draft, Stored, number>> = {}) {
  server.isCreated = !isNew;
  const saver = new Saver<Draft, Stored, number>({
    stored: isNew ? null : server.stored(),
    begin,
    mayWrite: true,
    draftOf: ({ name, text }) => ({ name, text }),
    versionOf: ({ version }) => version,
    isSame: (one, other) => one.name === other.name && one.text === other.text,
    send: server.save,
    read: server.read,
    problemOf: ({ name }) => (name === '' ? 'Template name is required' : null),
    savesItself: ({ isScheduled }) => !isScheduled,
    onFailed: (error) => failures.push(error),
    ...others,
  });
  saver.start();
  return saver;
}
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

describe('what is written', () => {
  it('is saved once, a moment after the last change', async () => {
    const saver = opened();
    for (const text of ['a', 'ab', 'abc']) {
      saver.change(html(text));
      await pass(pause - 1);
    }
    expect(server.sent).toEqual([]);
    await pass(1);
    expect([server.sent, saver.state().phase]).toEqual([['abc@1*'], 'saving']);
    await pass(server.delay);
    expect(saver.state()).toMatchObject({ isChanged: false, phase: 'resting', refusal: null });
    await pass(120_000);
    expect(server.sent).toHaveLength(1);
  });

  it('goes on from what is written by then where somebody has waited', async () => {
    const saver = opened();
    const late = ({ text }: Draft) => html(`${text}, late`);
    saver.change(html('a'));
    saver.change(late);
    saver.change(late);
    expect(saver.state().draft).toEqual({ name: 'News', text: 'a, late, late' });
  });

  it('is saved now and then while somebody never stops', async () => {
    const saver = opened();
    for (let waited = 0; waited < longestWait + 1_000; waited += 500) {
      saver.change(html(`${waited}`));
      await pass(500);
    }
    expect(server.sent.length).toBe(1);
  });

  it('while it is being saved follows after it', async () => {
    const saver = opened();
    server.delay = 5_000;
    saver.change(html('a'));
    await pass(pause + 100);
    saver.change(html('ab'));
    await pass(60_000);
    expect(server.sent).toEqual(['a@1*', 'ab@2*']);
    expect(server.text).toBe('ab');
  });

  it('is not sent where it was taken back, by viewers, or once the page is left', async () => {
    const saver = opened();
    saver.change(html('a'));
    saver.change(html('0'));
    expect(saver.state().isChanged).toBe(false);
    const viewer = opened({ mayWrite: false });
    viewer.change(html('b'));
    const left = opened();
    left.change(html('c'));
    left.stop();
    await pass(60_000);
    expect(await viewer.save('asked')).toBe(false);
    expect(await viewer.save('needed')).toBe(false);
    // Who has only looked may look at what is stored, too.
    viewer.change(html('0'));
    expect(await viewer.save('needed')).toBe(true);
    expect(server.sent).toEqual([]);
  });

  it('is saved at once by the button, after what is on its way', async () => {
    const saver = opened();
    saver.change(html('a'));
    void saver.save('auto');
    await pass(1);
    saver.change(html('ab'));
    const [done] = await Promise.all([saver.save('asked'), pass(1_000)]);
    expect(done).toBe(true);
    expect(server.sent).toEqual(['a@1*', 'ab@2']);
    // It says so to the server even if nothing has changed: that makes it a version of its own.
    await Promise.all([saver.save('asked'), pass(1_000)]);
    expect(server.sent.at(-1)).toBe('ab@3');
    await pass(60_000);
    expect(server.sent).toHaveLength(3);
  });
});

describe('what the server would refuse', () => {
  it('is not sent, and sent again once it is mended', async () => {
    const saver = opened();
    saver.change({ name: '' });
    await pass(pause);
    expect(saver.state().refusal).toEqual({ words: 'Template name is required', isTold: false });
    expect(await saver.save('needed')).toBe(false);
    expect(saver.state().refusal?.isTold).toBe(true);
    await pass(60_000);
    expect(server.sent).toEqual([]);
    saver.change({ name: 'News', ...html('a') });
    await pass(pause + 100);
    expect(saver.state()).toMatchObject({ refusal: null, isChanged: false });
  });

  it('gives way to what was written while it was on its way', async () => {
    const saver = opened();
    server.next.push('refused');
    server.delay = 5_000;
    saver.change(html('<mj'));
    await pass(pause + 100);
    saver.change(html('<mjml>'));
    await pass(60_000);
    expect(server.sent).toEqual(['<mj@1*', '<mjml>@1*']);
    expect(saver.state()).toMatchObject({ refusal: null, isChanged: false });
  });

  it('waits for the next change', async () => {
    const saver = opened();
    server.next.push('refused');
    saver.change(html('<mj'));
    await pass(120_000);
    expect(server.sent).toHaveLength(1);
    expect(saver.state().refusal).toEqual({ words: 'Line 3: no end', isTold: false });
    saver.change(html('<mjml>'));
    await pass(pause + 100);
    expect([server.text, saver.state().refusal]).toEqual(['<mjml>', null]);
  });
});

describe('what the server has refused', () => {
  it('is tried now and then while somebody writes on, and by whoever asks', async () => {
    const saver = opened();
    server.next.push(...Array<'refused'>(9).fill('refused'));
    for (let waited = 0; waited < 3 * longestWait; waited += 500) {
      saver.change(html(`<mj${waited}`));
      await pass(500);
    }
    expect(server.sent.length).toBeLessThanOrEqual(3);
    await pass(60_000);
    const tries = server.sent.length;
    expect(await saver.save('auto')).toBe(false);
    expect(server.sent.length).toBe(tries);
    await Promise.all([saver.save('needed'), pass(100)]);
    expect(server.sent.length).toBe(tries + 1);
  });

  it('is refused again after it was undone and done again', async () => {
    const saver = opened();
    server.next.push('refused', 'refused');
    saver.change(html('<mj'));
    await pass(60_000);
    saver.change(html('0'));
    saver.change(html('<mj'));
    expect(saver.state().refusal).toBeNull();
    await pass(60_000);
    expect([server.sent.length, saver.state().refusal?.words]).toEqual([2, 'Line 3: no end']);
  });
});

describe('what is scheduled', () => {
  it('is saved only by whoever asks for that, also after a failure', async () => {
    server.isScheduled = true;
    const saver = opened();
    saver.change(html('a'));
    await pass(60_000);
    expect([await saver.save('auto'), await saver.save('needed'), server.sent]).toEqual([false, false, []]);
    server.next.push('lost before');
    await Promise.all([saver.save('asked'), pass(120_000)]);
    expect([server.sent, saver.state().phase]).toEqual([['a@1'], 'failing']);
    await Promise.all([saver.save('asked'), pass(1_000)]);
    expect(server.text).toBe('a');
  });

  it('stops what would be saved, once the page has heard of it', async () => {
    const saver = opened();
    saver.change(html('a'));
    server.isScheduled = true;
    saver.hear(server.stored());
    await pass(60_000);
    expect([server.sent, saver.state().isChanged]).toEqual([[], true]);
  });

  it('is saved by itself once the page hears that it is not scheduled any more', async () => {
    const saver = opened();
    server.next.push('refused');
    saver.change(html('a'));
    await pass(pause + server.delay);
    saver.hear({ ...server.stored(), isScheduled: true });
    await pass(60_000);
    expect([server.sent, saver.state().refusal?.words]).toEqual([['a@1*'], 'Line 3: no end']);
    saver.hear(server.stored());
    expect(saver.state().refusal).toBeNull();
    await pass(60_000);
    expect([server.sent, saver.state().isChanged]).toEqual([['a@1*', 'a@1*'], false]);
  });

  it('is told with what was known when the save was asked for', async () => {
    const seen: unknown[] = [];
    const saver = opened({
      send: async (sending) => {
        seen.push(sending.seen?.isScheduled);
        return server.save(sending);
      },
    });
    server.delay = 1_000;
    saver.change(html('a'));
    void saver.save('auto');
    await pass(1);
    saver.change(html('ab'));
    void saver.save('asked');
    saver.hear({ ...server.stored(), isScheduled: true });
    await pass(10_000);
    expect(seen).toEqual([false, false]);
  });
});

describe('a line that breaks', () => {
  it('is tried again, less and less often, until it holds', async () => {
    const saver = opened();
    server.next.push('lost before', 'lost before', 'lost before');
    saver.change(html('a'));
    await pass(pause + 100);
    expect(saver.state()).toMatchObject({ phase: 'failing', isChanged: true });
    await pass(4_100);
    expect(server.sent).toHaveLength(2);
    await pass(4_100);
    expect(server.sent).toHaveLength(2);
    await pass(30_000);
    expect(server.sent).toHaveLength(4);
    expect(saver.state()).toMatchObject({ phase: 'resting', isChanged: false });
  });

  it('that takes only the answer is no conflict with oneself', async () => {
    const saver = opened();
    server.next.push('lost after');
    saver.change(html('a'));
    await pass(pause + 100);
    saver.change(html('ab'));
    await pass(60_000);
    expect(server.sent).toEqual(['a@1*', 'a@1*', 'ab@2*']);
    expect(saver.state()).toMatchObject({ isChanged: false, isOvertaken: false, phase: 'resting' });
    expect(server.text).toBe('ab');
  });

  it('in the middle of the answer is no conflict with oneself either', async () => {
    const saver = opened();
    server.next.push('cut');
    saver.change(html('a'));
    await pass(pause + 100);
    expect(saver.state().phase).toBe('failing');
    saver.change(html('ab'));
    await pass(60_000);
    expect(server.sent).toEqual(['a@1*', 'a@1*', 'ab@2*']);
  });

  it('is not put off by whoever goes on typing', async () => {
    const saver = opened();
    server.next.push('lost before');
    saver.change(html('a'));
    await pass(pause + 100);
    for (let text = 'a'; text.length < 10; text += 'b') {
      saver.change(html(text));
      await pass(500);
    }
    expect(server.sent.slice(0, 2)).toEqual(['a@1*', 'a@1*']);
  });

  it('leaves what may be stored unsaved, also where it was undone', async () => {
    const saver = opened();
    server.next.push('lost after');
    saver.change(html('a'));
    await pass(pause + 100);
    saver.change(html('0'));
    expect(saver.state().isChanged).toBe(true);
    saver.stop();
  });

  it('that takes the answer of what was undone meanwhile leaves nothing behind', async () => {
    const saver = opened();
    server.next.push('lost after');
    saver.change(html('a'));
    await pass(pause + 100);
    saver.change(html('0'));
    await pass(60_000);
    expect([server.text, saver.state().phase]).toEqual(['0', 'resting']);
  });

  it('waits as long as a busy server says', async () => {
    const saver = opened();
    server.next.push('failed');
    saver.change(html('a'));
    await pass(pause + 29_000);
    expect(server.sent).toHaveLength(1);
    await pass(2_000);
    expect(server.text).toBe('a');
  });

  it('or a session that ends is no refusal', async () => {
    const saver = opened();
    server.next.push('signed out');
    saver.change(html('a'));
    await pass(pause + 19_000);
    expect([server.sent.length, saver.state().phase, saver.state().refusal]).toEqual([1, 'failing', null]);
    await pass(2_000);
    expect([server.text, saver.state().phase]).toEqual(['a', 'resting']);
  });

  it('makes a new template once, however often somebody presses', async () => {
    const saver = opened({ isNew: true });
    server.next.push('lost after');
    saver.change(html('a'));
    await pass(60_000);
    expect(server.sent).toEqual([]);
    await Promise.all([saver.save('asked'), pass(100)]);
    expect(failures).toHaveLength(1);
    saver.change(html('ab'));
    await Promise.all([saver.save('asked'), saver.save('asked'), pass(1_000)]);
    expect(server.sent.slice(0, 3)).toEqual(['a@-', 'a@-', 'ab@1']);
    expect(saver.state()).toMatchObject({ isChanged: false, stored: { id: 4 } });
    saver.change(html('abc'));
    await pass(pause + 100);
    expect(server.text).toBe('abc');
  });

  it('keeps what was typed while a template was made, and saves it too', async () => {
    const saver = opened({ isNew: true });
    server.delay = 2_000;
    saver.change(html('a'));
    void saver.save('asked');
    await pass(500);
    saver.change(html('ab'));
    await pass(60_000);
    expect(server.sent).toEqual(['a@-', 'ab@1*']);
    expect([server.text, textOf(saver.state().draft)]).toEqual(['ab', 'ab']);
  });
});

describe('a colleague who saves', () => {
  it('is not overwritten, until somebody says so', async () => {
    const saver = opened();
    saver.change(html('mine'));
    server.colleague('theirs');
    await pass(pause + 100);
    expect(saver.state()).toMatchObject({ isOvertaken: true, refusal: { isTold: true } });
    saver.change(html('mine again'));
    await pass(120_000);
    expect([server.sent.length, server.text]).toEqual([1, 'theirs']);
    expect(await saver.save('needed')).toBe(false);
    await Promise.all([saver.save('asked', true), pass(100)]);
    expect(server.sent.at(-1)).toBe('mine again@2');
    expect(saver.state()).toMatchObject({ isOvertaken: false, isChanged: false });
    saver.change(html('more'));
    await pass(pause + 100);
    expect(server.text).toBe('more');
  });

  it('is not overwritten by a decision that was made before they saved', async () => {
    const saver = opened();
    saver.change(html('mine'));
    server.colleague('theirs');
    await pass(pause + 100);
    // The network is away when the button is pressed.
    server.next.push('lost before');
    expect(await saver.save('asked', true)).toBe(false);
    expect([saver.state().isOvertaken, failures.length, server.sent.length]).toEqual([true, 1, 1]);
    server.next.length = 0;
    server.colleague('an hour of theirs');
    await pass(120_000);
    expect(server.text).toBe('an hour of theirs');
    // It goes just after the question which version is the newest.
    const read = vi.spyOn(server, 'stored').mockImplementationOnce(() => {
      const known = { ...begin, id: 4, version: server.version, isScheduled: false };
      server.next.push('lost before');
      return known;
    });
    void saver.save('asked', true);
    await pass(100);
    expect(saver.state().phase).toBe('failing');
    server.colleague('another hour of theirs');
    await pass(120_000);
    expect([server.text, saver.state().isOvertaken]).toEqual(['another hour of theirs', true]);
    read.mockRestore();
  });

  it('stops what would be saved once that is known, and theirs can be taken', async () => {
    const saver = opened();
    saver.change(html('mine'));
    server.colleague('theirs');
    expect(saver.isOlderThan(server.version)).toBe(true);
    saver.overtake();
    await pass(60_000);
    expect(server.sent).toEqual([]);
    saver.take(server.stored());
    expect(saver.state()).toMatchObject({ isChanged: false, isOvertaken: false, savedAt: null });
    expect(textOf(saver.state().draft)).toBe('theirs');
    expect(saver.isOlderThan(server.version)).toBe(false);
    saver.change(html('theirs and mine'));
    await pass(pause + 100);
    expect(server.sent).toEqual(['theirs and mine@2*']);
  });

  it('is noticed by what was written on an older version and kept in the browser', async () => {
    server.colleague('theirs');
    const saver = opened();
    saver.resume({ ...begin, ...html('kept') }, 1);
    await pass(pause + 100);
    expect(saver.state().isOvertaken).toBe(true);
    expect(server.text).toBe('theirs');
  });

  it('is asked about where what was kept is gone on from while something is on its way', async () => {
    server.colleague('theirs');
    for (const fate of [undefined, 'lost after', 'lost before'] as const) {
      const saver = opened();
      if (fate) server.next.push(fate);
      server.delay = 1_000;
      saver.change(html(`a letter ${fate}`));
      await pass(pause + 100);
      saver.resume({ ...begin, ...html('kept') }, 1);
      expect(saver.state().draft.text).toBe('kept');
      await pass(120_000);
      expect(server.text).not.toBe('kept');
      expect(saver.state()).toMatchObject({ isOvertaken: true, isChanged: true, draft: { text: 'kept' } });
      saver.stop();
    }
  });

  it('is asked about where what was kept is gone on from after an answer was lost', async () => {
    server.colleague('theirs');
    const saver = opened();
    server.next.push('lost before');
    saver.change(html('a letter'));
    await pass(pause + 100);
    expect(saver.state().phase).toBe('failing');
    saver.resume({ ...begin, ...html('kept') }, 1);
    await pass(120_000);
    expect([server.text, saver.state().isOvertaken]).toEqual(['theirs', true]);
    expect(server.sent).toEqual(['a letter@2*', 'kept@1*']);
  });
});
