import { AppError } from '#platform/shared/errors.ts';

/** The program's exit codes, also listed in `--help`. */
export const exitCodes = { done: 0, failed: 1, wrongUse: 2, rejects: 3 } as const;

/** The command is wrong. The message is a sentence, and a pointer to the help is added to it. */
export class WrongUse extends Error {}

/**
 * The work is impossible, explained in a sentence for the person who asked for it. `written`: the
 * files that were there already by then.
 */
export class Failure extends Error {
  readonly written: readonly string[];

  constructor(message: string, written: readonly string[] = []) {
    super(message);
    this.written = written;
  }
}

/** The reader of our output has gone away, as `head` does. Nobody is left to tell. */
export class NobodyReads extends Error {}

const systemSentences: Record<string, (path: string) => string> = {
  ENOENT: (path) => `There is no file ${path}.`,
  ENOTDIR: (path) => `There is no file ${path}.`,
  EISDIR: (path) => `${path} is a folder, not a file.`,
  EACCES: (path) => `${path} may not be read or written by you.`,
  EPERM: (path) => `${path} may not be read or written by you.`,
  EROFS: (path) => `${path} is on a disk that cannot be written to.`,
  ENOSPC: (path) => `There is no room left on the disk for ${path}.`,
  EDQUOT: (path) => `There is no room left for you on the disk for ${path}.`,
  ENAMETOOLONG: (path) => `The name ${path} is too long.`,
};

/** Turns a file system failure into a sentence about the file. Leaves other errors as they are. */
export function aboutFile(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EPIPE') return new NobodyReads();
  if (code === undefined || (error as NodeJS.ErrnoException).syscall === undefined) return error;
  return new Failure(systemSentences[code]?.(path) ?? `${path}: ${(error as Error).message}.`);
}

/** True for errors meant for the person. Anything else is a fault of the program. */
export const isForThePerson = (error: unknown): error is Error =>
  error instanceof Failure || error instanceof AppError;
