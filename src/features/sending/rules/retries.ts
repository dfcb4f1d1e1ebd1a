/** How often and for how long a message has been tried. */
export interface Tried {
  /** Hand-overs so far, with this one. Some of them never reached the server. */
  attempts: number;
  /** Seconds since the first one that a server did not take. */
  seconds: number;
}

/** Seconds until each next try of a message that a server did not take for now. */
const waits = [300, 900, 1_800, 3_600, 7_200];
const longestWait = 14_400;
/** The same for one whose connection broke: that says nothing about the recipient. */
const firstBrokenWait = 60;
const longestBrokenWait = 1_800;
/** For how long a message is tried. Senders give up after some days (RFC 5321, section 4.5.4.1). */
const patienceSeconds = 72 * 3_600;
/** A campaign that was paused for days has some tries left all the same. */
const fewestTries = 6;

/** Null: it has been tried for 72 hours. Waits grow with the time and not with the tries. */
export function waitBefore(tried: Tried): number | null {
  let wait = longestWait;
  let begins = 0;
  for (const one of waits) {
    begins += one;
    if (tried.seconds >= begins) continue;
    wait = one;
    break;
  }
  return orGiveUp(tried, wait);
}

/** The same for a message whose connection broke before the server had it. */
export const waitAfterBreak = (tried: Tried): number | null =>
  orGiveUp(tried, Math.min(longestBrokenWait, Math.max(firstBrokenWait, Math.round(tried.seconds / 2))));

const orGiveUp = ({ attempts, seconds }: Tried, wait: number): number | null =>
  seconds + wait > patienceSeconds && attempts >= fewestTries ? null : wait;
