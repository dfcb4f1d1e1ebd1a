/**
 * Seconds until a message that a server did not take for now is tried again, by attempts so far.
 */
const waits = [300, 900, 1_800, 3_600, 7_200];
const longestWait = 14_400;
/** For how long a message is tried. Senders give up after some days (RFC 5321, section 4.5.4.1). */
const patienceSeconds = 72 * 3_600;

/** Null: it has been tried for 72 hours. */
export function waitBefore(attempts: number): number | null {
  let waited = 0;
  for (let attempt = 1; attempt < attempts; attempt++) waited += waits[attempt - 1] ?? longestWait;
  const next = waits[attempts - 1] ?? longestWait;
  return waited + next > patienceSeconds ? null : next;
}
