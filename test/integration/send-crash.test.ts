// Tests of: sending, campaigns
import { expect, it } from 'vitest';
import { crashWhileSending } from '#test/support/send-crash.ts';

// Kills processes in the middle of a campaign, over a mail server that misbehaves. Nobody may get
// it twice, nobody may be left out, and the books must say what became of each. The long form is
// `node bench/send-crash.ts`.

it('nobody is mailed twice or forgotten when processes are killed', async () => {
  const slots = 20;
  const books = await crashWhileSending({
    messages: 5_000,
    workers: 2,
    // A worker, PostgreSQL under live workers, everything, and a worker.
    kills: 4,
    everythingEach: 3,
    databaseEach: 10,
    delayMs: 40,
  });
  expect(books).toMatchObject({
    total: 5_000,
    pending: 0,
    skipped: 0,
    twice: 0,
    sentButNotTaken: 0,
    takenButNotSent: 0,
    forgotten: 0,
    partsAgree: true,
    partsMended: false,
    kills: 4,
  });
  expect(books.sent + books.failed + books.uncertain + books.deferred).toBe(5_000);
  // What was under way when a process died: at most its slots.
  expect(books.uncertain - books.broken).toBeLessThanOrEqual(slots * 2 * books.kills);
}, 300_000);
