import { AppError } from '#platform/shared/errors.ts';

/** What the program ends with; in `--help` too. */
export const exitCodes = { done: 0, failed: 1, wrongUse: 2, rejects: 3 } as const;

/**
 * The command was written wrongly. The message is a sentence; where help is to be had is added to
 * it.
 */
export class WrongUse extends Error {}

/** The work cannot be done, in a sentence for the person who asked for it. */
export class Failure extends Error {}

/** The reader of our output has gone away, as `head` does; nobody is left to be told. */
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

/** A failure of the file system as a sentence about the file; others as they are. */
export function aboutFile(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EPIPE') return new NobodyReads();
  if (code === undefined || (error as NodeJS.ErrnoException).syscall === undefined) return error;
  return new Failure(systemSentences[code]?.(path) ?? `${path}: ${(error as Error).message}.`);
}

/** True of what is meant for the person; anything else is a fault of the program. */
export const isForThePerson = (error: unknown): error is Error =>
  error instanceof Failure || error instanceof AppError;
