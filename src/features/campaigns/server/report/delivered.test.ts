import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openSendingApp } from '#test/support/sending-app.ts';

// What was delivered, where the answers to some messages were never seen.

const app = openSendingApp({ people: 5 });
const { call, send, stands } = app;

/** A campaign to five: two are uncertain, and one of these and one of the others came back. */
async function sentToFive(): Promise<number> {
  const id = await send();
  await stands(id, { status: 'completed', sent: 5 });
  const { system } = app.test.owner;
  await sql`
    with unseen as (
      update sends set state = 'uncertain' where local in ('p3', 'p4') returning mailing_id
    ), parts as (
      update send_parts p set sent = p.sent - 2, uncertain = 2 from (select distinct mailing_id from unseen) u
      where p.mailing_id = u.mailing_id
    ), books as (
      update mailings m set books = m.books || '{"sent": 3, "uncertain": 2}' from (select distinct mailing_id from unseen) u
      where m.id = u.mailing_id
    ), told as (
      insert into bounces (workspace_id, mailing_id, send_id, local, domain, event, class, kind, fault, source, said, counts,
        is_due)
      select workspace_id, mailing_id, id, local, domain, 'bounce', 'hard', 'full', 'address', 'test', '552 5.2.2 full', false,
        false
      from sends where local in ('p2', 'p4')
      returning workspace_id, mailing_id
    ), back as (
      insert into mailing_bounces (workspace_id, mailing_id, hard, returned)
      select workspace_id, mailing_id, count(*), count(*) from told group by 1, 2
    )
    insert into mailing_hours (workspace_id, mailing_id, hour, opened, human_opened)
    select workspace_id, id, date_trunc('hour', now(), 'UTC'), 1, 1 from mailings where campaign_id = ${id}`.execute(
    system,
  );
  return id;
}

it('is what a server took and did not send back, in figures, lists and comparisons', async () => {
  const id = await sentToFive();
  expect(await call('GET', `/api/campaigns/${id}`)).toMatchObject({
    ...{ sent: 3, uncertain: 2, bounced: 2, delivered: 2 },
  });
  const got = await call('GET', `/api/campaigns/${id}/recipients?did=got`);
  expect(got.items.map(({ address }: { address: string }) => address.slice(0, 2))).toEqual(['p0', 'p1']);
  // A page that is not the whole list is counted by the figures.
  const page = await call('GET', `/api/campaigns/${id}/recipients?did=got&limit=1`);
  expect(page).toMatchObject({ totalCount: 2, items: [{}] });
  const { earlier } = await call('GET', `/api/campaigns/${await send()}/report`);
  expect(earlier).toMatchObject({ campaigns: 1, hours: [{ opened: 0.5 }] });
});
