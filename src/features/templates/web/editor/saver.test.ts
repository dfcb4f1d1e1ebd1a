import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#platform/web/api.ts';
import type { Template } from '../../contract.ts';
import type { Draft } from './content.ts';
import { longestWait, pause, Saver, type Sending } from './saver.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const html = (text: string): Pick<Draft, 'content'> => ({ content: { mode: 'html', htmlContent: text } });
const begin: Draft = { name: 'News', description: '', category: 'custom', textContent: '', ...html('0') };
const textOf = ({ content }: Draft): string => (content.mode === 'html' ? content.htmlContent : '');

/** As a server would, with a colleague who may save, and a line that may break. */
class Server {
  version = 1;
  text = '0';
  /** What was sent, in order, as `text@version`, with a star where it was automatic. */
  readonly sent: string[] = [];
  /** What becomes of the next saves. */
  readonly next: ('lost before' | 'lost after' | 'refused' | 'failed')[] = [];
  isCreated = true;
  delay = 10;
  readonly #keys = new Map<string, Template>();

  readonly save = async ({ draft, id, version, isAutomatic, key }: Sending): Promise<Template> => {
    this.sent.push(`${textOf(draft)}@${version ?? '-'}${isAutomatic ? '*' : ''}`);
    const fate = this.next.shift();
    await new Promise((done) => setTimeout(done, this.delay));
    if (fate === 'lost before') throw new ApiError(0, 'No answer', '');
    if (fate === 'failed') throw new ApiError(503, 'Busy', '{"message":"Busy"}', 30);
    if (fate === 'refused') throw new ApiError(400, 'Bad', '{"message":"Line 3: no end"}');
    const answer = this.#answer(id, draft, version, key);
    if (fate === 'lost after') throw new ApiError(0, 'No answer', '');
    return answer;
  };

  colleague(text: string): void {
    this.version += 1;
    this.text = text;
  }

  #answer(id: number | null, draft: Draft, version: number | undefined, key: string): Template {
    if (id === null) {
      const known = this.#keys.get(key);
      if (known) return known;
      if (this.isCreated) throw new Error('made twice');
      this.isCreated = true;
      this.text = textOf(draft);
      this.#keys.set(key, this.template());
      return this.template();
    }
    if (textOf(draft) === this.text) return this.template();
    if (version !== undefined && version !== this.version)
      throw new ApiError(409, 'Conflict', '{"code":"changed_meanwhile","message":"Ann has changed it."}');
    this.version += 1;
    this.text = textOf(draft);
    return this.template();
  }

  template = (): Template =>
    ({
      ...begin,
      id: 4,
      mode: 'html',
      htmlContent: this.text,
      document: null,
      mjml: null,
      version: this.version,
    }) as unknown as Template;
}

let server: Server;
const failures: unknown[] = [];
beforeEach(() => {
  server = new Server();
  failures.length = 0;
});

function opened({ isNew = false, mayWrite = true } = {}): Saver {
  server.isCreated = !isNew;
  const saver = new Saver({
    template: isNew ? null : server.template(),
    begin,
    mayWrite,
    send: server.save,
    problemOf: ({ name }) => (name === '' ? 'Template name is required' : null),
    onFailed: (error) => failures.push(error),
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
    expect(saver.state()).toMatchObject({ isChanged: false, template: { id: 4 } });
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
    expect(server.sent.at(-1)).toBe('mine again@-');
    expect(saver.state()).toMatchObject({ isOvertaken: false, isChanged: false });
    saver.change(html('more'));
    await pass(pause + 100);
    expect(server.text).toBe('more');
  });

  it('stops what would be saved once that is known, and theirs can be taken', async () => {
    const saver = opened();
    saver.change(html('mine'));
    server.colleague('theirs');
    expect(saver.isOlderThan(server.version)).toBe(true);
    saver.overtake();
    await pass(60_000);
    expect(server.sent).toEqual([]);
    saver.take(server.template());
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
});
