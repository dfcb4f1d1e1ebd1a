import { AppError } from '#platform/shared/errors.ts';

/**
 * Limits on starting costly work: how often one person may start it, and how many a workspace may
 * have running. The count uses the rows that each start leaves in the database, so the limits hold
 * across all processes and restarts.
 */
export interface StartLimits {
  aMinute: number;
  atOnce: number;
}

/** Far more than people need, and few enough for the machine. */
export const usualStarts: StartLimits = { aMinute: 20, atOnce: 5 };

export interface Starts {
  /**
   * Seconds until the person's start `aMinute` starts ago is a minute old. Null when there were
   * fewer.
   */
  secondsToWait: number | null;
  underWay: number;
}

/** Running work takes from seconds to minutes. Asking again this soon costs nothing. */
const busySeconds = 10;

/**
 * Throws `rate_limited` when one more would be too many. `many` names the work, such as 'imports'.
 */
export function refuseManyStarts(many: string, limits: StartLimits, starts: Starts): void {
  if (starts.secondsToWait !== null) {
    const seconds = Math.max(1, starts.secondsToWait);
    throw new AppError(
      'rate_limited',
      `You have begun ${limits.aMinute} ${many} within a minute, as many as one person may. Begin the next in ${secondsInWords(seconds)}.`,
      { retryAfter: seconds },
    );
  }
  if (starts.underWay >= limits.atOnce) {
    throw new AppError(
      'rate_limited',
      `This workspace has ${starts.underWay} ${many} under way, as many as it may at once. ` +
        `Try again in ${secondsInWords(busySeconds)}, or when one of them is done.`,
      { retryAfter: busySeconds },
    );
  }
}

const secondsInWords = (seconds: number): string => (seconds === 1 ? '1 second' : `${seconds} seconds`);
