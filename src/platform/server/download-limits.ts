import { AppError } from '#platform/shared/errors.ts';
import type { Fullness } from './fair-queue.ts';

/** How many downloads may be under way at once, for whom. */
interface DownloadLimits {
  each: number;
  eachPerson: number;
  /** How many of one person may wait. */
  line: number;
}

/** Most downloads take less. */
const retrySeconds = 15;

/**
 * The answer to a download that got no turn in time. The first three are the caller's own doing.
 */
export function refuseDownload(fullness: Fullness, { each, eachPerson, line }: DownloadLimits): AppError {
  const again = `Try again in ${retrySeconds} seconds, or when one of them has ended.`;
  const options = { retryAfter: retrySeconds };
  if (fullness === 'person') {
    const many = `You have ${files(eachPerson)} under way, as many as one person may have at once.`;
    return new AppError('rate_limited', `${many} ${again}`, options);
  }
  if (fullness === 'line') {
    const many = `You have ${files(line)} waiting for their turn, as many as one person may.`;
    return new AppError('rate_limited', `${many} ${again}`, options);
  }
  if (fullness === 'workspace') {
    const many = `This workspace has ${files(each)} under way, as many as it may have at once.`;
    return new AppError('rate_limited', `${many} ${again}`, options);
  }
  const many = 'Others have as many downloads under way as there can be at once.';
  return new AppError('unavailable', `${many} Try again in ${retrySeconds} seconds.`, options);
}

const files = (count: number): string => (count === 1 ? 'one download' : `${count} downloads`);
