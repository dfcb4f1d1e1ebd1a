import { crashWhileSending } from '#test/support/send-crash.ts';
import { report } from './report.ts';

/**
 * Sends 20,000 messages over a mail server that also refuses, hangs and hangs up, while worker
 * processes, every tenth time everything with PostgreSQL, and every seventh time PostgreSQL alone
 * are killed with SIGKILL at random moments. Prints the books: once each with one, two and four
 * worker processes.
 *
 *     node bench/send-crash.ts [kills]
 */
const kills = Number(process.argv[2] ?? 30);
/** Messages that a process has under way with a server that takes its time. */
const slots = 20;

for (const workers of [1, 2, 4]) {
  const books = await crashWhileSending({
    messages: 20_000,
    workers,
    kills,
    everythingEach: 10,
    databaseEach: 7,
    delayMs: 60,
  });
  console.log(`${workers} worker process${workers === 1 ? '' : 'es'}:`, books);
  const { total, sent, failed, skipped, uncertain, deferred, pending } = books;
  const wrong =
    books.twice +
    books.sentButNotTaken +
    books.takenButNotSent +
    books.forgotten +
    Math.abs(total - sent - failed - skipped - uncertain - deferred - pending) +
    (books.partsAgree ? 0 : 1) +
    (books.partsMended ? 1 : 0);
  console.log(
    `  ${total} = ${sent} sent + ${failed} failed + ${skipped} skipped + ${uncertain} uncertain + ${deferred + pending} pending`,
  );
  const everything = Math.floor(kills / 10);
  const most = slots * (kills - everything + everything * workers);
  report({
    promise: `Sending survives ${books.kills} kills with ${workers} worker processes`,
    figure: `${wrong} wrong, ${uncertain - books.broken} uncertain by kills`,
    against: `0 wrong, at most ${most} under way at the kills`,
    ratio: wrong > 0 ? Number.POSITIVE_INFINITY : (uncertain - books.broken) / most,
  });
}
