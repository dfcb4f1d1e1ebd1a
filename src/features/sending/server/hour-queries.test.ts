import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { signUp } from '#test/support/sign-in.ts';
import { selectSentByHour } from './hour-queries.ts';

let test: TestApp;
beforeAll(async () => {
  test = await openTestApp();
});
afterAll(() => test.close());

it('what left is counted by the hour, one by one, and by parts where there are too many', async () => {
  const { workspaceId } = await signUp(test.app);
  const { rows } = await sql<{ id: number }>`
    insert into mailings (workspace_id, kind, name, from_name, from_address, subject, html, text, tracks_opens, tracks_clicks)
    values (${workspaceId}, 'campaign', 'News', 'A', 'a@shop.co.uk', 'News', '', '', true, true) returning id`.execute(
    test.owner.system,
  );
  const mailingId = rows[0]?.id ?? 0;
  // Four parts of ten, each in an hour of its own; the first of each was skipped.
  await sql`
    insert into sends (workspace_id, mailing_id, id, local, domain, state, handed_at)
    select ${workspaceId}, ${mailingId}, n, 'p' || n, 'shop.co.uk', case when n % 10 = 0 then 'skipped' else 'sent' end,
      case when n % 10 > 0 then timestamptz '2026-11-18 09:30Z' + (n / 10) * interval '1 hour' end
    from generate_series(0, 39) n`.execute(test.owner.system);
  await sql`
    insert into send_parts (workspace_id, mailing_id, first_send, last_send, status, total, sent, skipped)
    select ${workspaceId}, ${mailingId}, 10 * n, 10 * n + 9, 'done', 10, 9, 1 from generate_series(0, 3) n`.execute(
    test.owner.system,
  );
  const counted = (total: number, looks?: number) =>
    test.database.asTenant(workspaceId, async (tx) => {
      const hours = await selectSentByHour(tx, workspaceId, mailingId, total, looks);
      return hours.map(({ hour, sent }) => [hour.getUTCHours(), sent]);
    });
  const each = [9, 10, 11, 12].map((hour) => [hour, 9]);
  expect(await counted(40)).toEqual(each);
  expect(await counted(60_000)).toEqual(each);
  // Two parts together count for the hour of the first.
  expect(await counted(60_000, 2)).toEqual([
    [9, 18],
    [11, 18],
  ]);
});
