import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { currentContext } from '#platform/server/call-context.ts';
import { FairQueue } from '#platform/server/fair-queue.ts';
import { WarmPool } from '#platform/server/warm-threads.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { TemplateDocument } from '../../rules/document/schema.ts';
import type { importedHtml } from '../../rules/imported-html.ts';
import type { RenderedMjml } from '../../rules/mjml/render.ts';

/** What the process makes, by what it is given. */
export interface Rendered {
  mjml: RenderedMjml;
  document: string;
  html: ReturnType<typeof importedHtml>;
  /** Answered when the process has loaded its modules. */
  nothing: null;
}
interface Given {
  mjml: string;
  document: TemplateDocument;
  html: string;
  nothing: null;
}
type Kind = keyof Given;

export type RenderOrder = { [Key in Kind]: { kind: Key; given: Given[Key] } }[Kind];
export type RenderAnswer = Answered | { ok: false; message: string; isRefusal: false };
/** Something was made, or what was given is refused with a sentence. */
type Answered = { ok: true; made: Rendered[Kind] } | { ok: false; message: string; isRefusal: true };

/** Processor time. The largest messages that the limits allow take a third of it. */
const mostCpuMs = 1_000;
/** On a busy machine a process gets little of it. */
const mostMs = 10_000;
const lookEveryMs = 100;
/** Processes at once, and those of them for one workspace: one is left to the others. */
const atOnce = { size: 3, each: 2 };
/** What one person may have waiting. Each takes a second of processor time at most. */
const longestLine = 60;
/** How long anything waits for its turn. */
const waitMs = 60_000;
const mostMegabytes = 192;

/**
 * A process and not a thread: what takes too much memory at once ends the whole process that it
 * runs in, whatever limits a thread has. It gets nothing of our environment but the cache of
 * compiled code.
 */
class RenderProcess {
  readonly #child: ChildProcess;

  constructor() {
    const { NODE_COMPILE_CACHE } = process.env;
    this.#child = fork(new URL('./render-entry.ts', import.meta.url), [], {
      execArgv: [`--max-old-space-size=${mostMegabytes}`, '--max-semi-space-size=8'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE },
    });
    // A process at work would not hear that ours has ended.
    const end = (): void => this.terminate();
    process.once('exit', end);
    this.#child.once('exit', () => process.off('exit', end));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(order: RenderOrder, onFailed: (error: Error) => void): void {
    this.#child.send(order, (error) => error && onFailed(error));
  }

  on(event: 'message' | 'error' | 'exit', listener: (...values: never[]) => void): this {
    this.#child.on(event, listener as () => void);
    return this;
  }

  off(event: 'message' | 'error' | 'exit', listener: (...values: never[]) => void): this {
    this.#child.off(event, listener as () => void);
    return this;
  }

  ref(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  /** A process that waits does not keep ours alive, and ends with it. */
  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  terminate(): void {
    this.#child.kill('SIGKILL');
  }
}

const processes = new WarmPool(() => new RenderProcess());

const turns = new FairQueue({ ...atOnce, line: longestLine });

/** For whom something is made. */
export interface RenderGuest {
  workspaceId: number;
  /** Aborted when the caller has gone, where nobody else wants it. It leaves the line then. */
  gone?: AbortSignal | undefined;
}

/**
 * Makes HTML in a process of its own, because MJML takes from 10 milliseconds to a third of a
 * second and would hold up every other call. The process is ended when something takes too long or
 * too much memory: `invalid_input`. Workspaces take turns, and within one its people.
 */
export async function renderApart<Key extends Kind>(
  { workspaceId, gone }: RenderGuest,
  kind: Key,
  given: Given[Key],
): Promise<Rendered[Key]> {
  const { person = null } = currentContext();
  const leave = await turns.enter({ workspaceId, person }, { waitMs, gone });
  try {
    gone?.throwIfAborted();
    return (await runOn(processes.take(), { kind, given } as RenderOrder)) as Rendered[Key];
  } finally {
    leave();
  }
}

const tooMuch = (what: 'long' | 'much memory'): AppError =>
  new AppError(
    'invalid_input',
    `This template takes too ${what} to make HTML of. Make it smaller or simpler.`,
  );

async function runOn(one: RenderProcess, order: RenderOrder): Promise<Rendered[Kind]> {
  // A new process loads for longer than most messages take, and that is not their fault.
  await answerOf(one, { kind: 'nothing', given: null });
  const answer = await answerOf(one, order, watched);
  processes.giveBack(one);
  if (!answer.ok) throw new AppError('invalid_input', answer.message);
  return answer.made;
}

/** How a process ends whose memory is at an end: by Node itself, or by the system. */
const outOfMemory = new Set<NodeJS.Signals>(['SIGABRT', 'SIGILL', 'SIGTRAP', 'SIGKILL']);

type Watch = (one: RenderProcess, onLate: () => void) => () => void;

/** What the process answers to an order. It is ended when it fails. */
function answerOf(one: RenderProcess, order: RenderOrder, watch?: Watch): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const stopWatch = watch?.(one, () => fail(tooMuch('long')));
  const leave = (): void => {
    stopWatch?.();
    one.off('message', onAnswer).off('error', fail).off('exit', onExit);
  };
  const fail = (error: Error): void => {
    leave();
    one.terminate();
    reject(error);
  };
  const onAnswer = (answer: RenderAnswer): void => {
    if (answer.ok || answer.isRefusal) {
      leave();
      resolve(answer);
    } else fail(new Error(answer.message));
  };
  const onExit = (code: number | null, signal: NodeJS.Signals | null): void =>
    fail(
      signal !== null && outOfMemory.has(signal)
        ? tooMuch('much memory')
        : new Error(`the process that makes HTML has ended: ${signal ?? code}`),
    );
  one.on('message', onAnswer).on('error', fail).on('exit', onExit);
  one.send(order, fail);
  return promise;
}

/** Calls when a process has had its time. */
const watched: Watch = ({ pid }, onLate) => {
  const began = Date.now();
  const before = cpuOf(pid);
  const timer = setInterval(async () => {
    const used = spent(await before, await cpuOf(pid)) ?? Date.now() - began;
    if (used > mostCpuMs || Date.now() - began > mostMs) onLate();
  }, lookEveryMs);
  return () => clearInterval(timer);
};

const spent = (before: number | null, now: number | null): number | null =>
  before === null || now === null ? null : now - before;

/** Linux counts processor time in hundredths of a second for every program. */
const tickMs = 10;

/** Milliseconds of processor time. Null where the system does not say: then the clock counts. */
async function cpuOf(pid: number | undefined): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The name of the program may hold blanks and brackets. Then come the state and the rest, see
  // proc_pid_stat(5).
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields?.[11]), Number(fields?.[12])];
  return Number.isNaN(user + system) ? null : (user + system) * tickMs;
}
