import { AppError } from '#platform/shared/errors.ts';
import { sqlState } from '../database.ts';

/** What PostgreSQL and its programs write when they find no room. */
export const noRoom = /No space left on device|Disk quota exceeded/;

/**
 * Whether an error says that a disk is full. A sort that was too large for the disk says nothing,
 * because its room is free again; nor does a call that we refused ourselves while the disk was
 * full, because then it would stay full for as long as somebody tries.
 */
export function isOutOfRoom(error: unknown): boolean {
  const chain = causesOf(error);
  return !chain.some(({ message }) => message.includes('pgsql_tmp')) && chain.some(saysNoRoom);
}

function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) chain.push(one);
  return chain;
}

function saysNoRoom(error: Error): boolean {
  // Ours has a cause when it tells of what another program found.
  if (error instanceof AppError) return error.kind === 'insufficient_storage' && error.cause !== undefined;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' || sqlState(error) === '53100' || noRoom.test(error.message);
}

/** The answer to what would write while the disk is full. */
export const diskFull = (): AppError =>
  new AppError(
    'insufficient_storage',
    'The disk is full. Nothing was changed. Reading goes on; try again when there is room.',
    { retryAfter: 60 },
  );

/** The answer while the database is down for lack of room. */
export const databaseWaits = (): AppError =>
  new AppError(
    'unavailable',
    'The disk is full, and the database has stopped. It starts again by itself when there is room.',
    { retryAfter: 30 },
  );

/** For the operator whose product does not start. */
export const fullAtStart = (dataDir: string): string =>
  `The disk of ${dataDir} is full, and Email Manager needs some room to start. Nothing is lost. ` +
  'Make 100 MB of room there, or move DATA_DIR to a larger disk, and start again.';
