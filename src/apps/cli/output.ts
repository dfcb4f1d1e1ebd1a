import { unlinkSync } from 'node:fs';
import { chmod, type FileHandle, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { aboutFile, Failure } from './failure.ts';
import { standard } from './input.ts';

const flushAt = 262_144;

/**
 * Where text is written to. A file appears only when it is whole: text goes into a file beside it,
 * which `commit` renames and `discard` deletes. Standard output, pipes and devices are written to
 * directly.
 */
export class Output {
  readonly name: string;
  readonly #sink: Sink;
  #text = '';

  private constructor(name: string, sink: Sink) {
    this.name = name;
    this.#sink = sink;
  }

  static async open(path: string): Promise<Output> {
    if (path === standard) return new Output('standard output', standardOutput);
    try {
      const known = await stat(path).catch(noneThere);
      if (known?.isDirectory()) throw new Failure(`${path} is a folder, not a file.`);
      if (known && !known.isFile()) return new Output(path, await openDevice(path));
      return new Output(path, await openBeside(path, known?.mode));
    } catch (error) {
      throw describe(error, path);
    }
  }

  add(text: string): void {
    this.#text += text;
  }

  /** Await it between pieces of work, so that output does not pile up in memory. */
  async flush(atLeast = flushAt): Promise<void> {
    if (this.#text.length < atLeast || this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    await this.#sink.write(text).catch(this.#told);
  }

  /** Writes the rest and flushes it to disk. The file gets its name only in `commit`. */
  async finish(): Promise<void> {
    await this.flush(0);
    await this.#sink.finish().catch(this.#told);
  }

  async commit(): Promise<void> {
    await this.#sink.commit().catch(this.#told);
  }

  async discard(): Promise<void> {
    await this.#sink.discard();
  }

  readonly #told = (error: unknown): never => {
    throw describe(error, this.name);
  };
}

interface Sink {
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  commit(): Promise<void>;
  discard(): Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

const standardOutput: Sink = {
  write: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    }),
  finish: nothing,
  commit: nothing,
  discard: nothing,
};

async function openDevice(path: string): Promise<Sink> {
  const file = await open(path, 'w');
  return {
    write: async (text) => void (await file.writeFile(text)),
    finish: () => file.close(),
    commit: nothing,
    discard: () => file.close().catch(() => undefined),
  };
}

/** Files that are not complete yet, by path. */
const unfinished = new Set<string>();

async function openBeside(path: string, mode: number | undefined): Promise<Sink> {
  // A link stays a link: replace the file that it leads to.
  const target = mode === undefined ? path : await realpath(path);
  const beside = join(dirname(target), `.${basename(target).slice(0, 100)}.${process.pid}.part`);
  const file: FileHandle = await open(beside, 'wx');
  unfinished.add(beside);
  return {
    write: async (text) => void (await file.writeFile(text)),
    async finish() {
      await file.sync();
      await file.close();
      if (mode !== undefined) await chmod(beside, mode & 0o777);
    },
    async commit() {
      await rename(beside, target);
      unfinished.delete(beside);
    },
    async discard() {
      await file.close().catch(() => undefined);
      if (unfinished.delete(beside)) await unlink(beside).catch(() => undefined);
    },
  };
}

/** For when the program is ended from outside: removes incomplete files at once. */
export function removeUnfinished(): void {
  for (const path of unfinished) {
    try {
      unlinkSync(path);
    } catch {
      // The file or its folder is already gone. There is nothing to do and nobody to tell.
    }
  }
  unfinished.clear();
}

function noneThere(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}

function describe(error: unknown, path: string): unknown {
  // The file itself may be missing, but its folder must exist.
  if ((error as NodeJS.ErrnoException).code === 'ENOENT')
    return new Failure(`There is no folder ${dirname(path)}.`);
  return aboutFile(error, path);
}
