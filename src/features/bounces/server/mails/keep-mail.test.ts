import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createLogger } from '#platform/server/logging.ts';
import { type SignedIn, signUp } from '#test/support/sign-in.ts';
import { type Mailing, openTracked, type Tracked } from '#test/support/tracked-sends.ts';
import { BounceBook } from '../bounces.ts';
import { receiveMail } from './receive.ts';

// Mails that no rule understands: a workspace keeps as many as people may read.

let tracked: Tracked;
let book: BounceBook;
let who: SignedIn;
let mailing: Mailing;

beforeAll(async () => {
  tracked = await openTracked();
  const [db, log] = [tracked.test.database, createLogger('silent')];
  book = new BounceBook({ db, log, sends: () => tracked.played, mailings: () => undefined });
});
afterAll(() => tracked.test.close());
beforeEach(async () => {
  who = await signUp(tracked.test.app);
  mailing = await tracked.mailing({ html: '<p>News</p>', who });
});

const run = (query: ReturnType<typeof sql>) => query.execute(tracked.test.owner.system);

/** A mail comes to a message that had none. Answers the limits for which it is not kept. */
async function comes(): Promise<string[]> {
  const send = await tracked.send(mailing);
  const limits: string[] = [];
  const context = { db: tracked.test.database, book, countNotKept: (limit: string) => limits.push(limit) };
  const raw = Buffer.from('Subject: Hello\r\n\r\nShe has left.\r\n');
  await receiveMail(context, { raw, sends: [{ ...send, part: 0 }], source: 'listener' });
  return limits;
}

/** Mails to many messages, of so many hours ago. */
const kept = (many: number, hours: number) =>
  run(sql`
    insert into bounce_mails (workspace_id, mailing_id, send_id, sender, subject, text, source, digest, received_at)
    select ${who.workspaceId}, ${mailing.id}, 1000000 + n, '', '', '', '', int4send(n), now() - make_interval(hours => ${hours}::int)
    from generate_series(1, ${many}::int) n`);

it('keeps 200 in a day', async () => {
  await kept(199, 1);
  expect(await comes()).toEqual([]);
  expect(await comes()).toEqual(['day']);
  await run(sql`
    update bounce_mails set received_at = now() - interval '25 hours' where workspace_id = ${who.workspaceId}`);
  expect(await comes()).toEqual([]);
});

it('keeps 1,000 that nobody has read', async () => {
  await kept(1_000, 48);
  expect(await comes()).toEqual(['open']);
  await run(sql`
    update bounce_mails set read_as = 'no_bounce', read_by = 'jo', read_at = now()
    where workspace_id = ${who.workspaceId} and send_id = 1000001`);
  expect(await comes()).toEqual([]);
});

it('counts those of the same moment', async () => {
  await kept(195, 1);
  const limits = await Promise.all(Array.from({ length: 10 }, comes));
  expect(limits.flat()).toEqual(Array.from({ length: 5 }, () => 'day'));
});
