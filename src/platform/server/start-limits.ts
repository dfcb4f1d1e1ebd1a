import { AppError } from '#platform/shared/errors.ts';

/**
 * Limits of what is costly to begin: how often one person may begin it, and how much of it a
 * workspace may have under way. Counted in the rows that each beginning leaves in the database, so
 * they hold for all processes together and over restarts.
 */
export interface StartLimits {
  aMinute: number;
  atOnce: number;
}

/** Far more than people do, and few enough for the machine. */
export const usualStarts: StartLimits = { aMinute: 20, atOnce: 5 };

export interface Starts {
  /**
   * Seconds until the person's beginning that is `aMinute` back is a minute old; null when there
   * were fewer.
   */
  secondsToWait: number | null;
  underWay: number;
}

/** What is under way takes from seconds to minutes; to ask again this soon costs nothing. */
const busySeconds = 10;

/** Throws `rate_limited` when one more would be too many; `many` is what is begun, as 'imports'. */
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
