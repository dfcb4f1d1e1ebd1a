import { sql } from 'kysely';
import type { BouncedMailings } from '#features/bounces/server/index.ts';
import { contactStates } from '#features/contacts/rules.ts';
import type { SendKey } from '#features/tracking/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { moveMailing, selectStandings } from './mailing-queries.ts';

interface Address {
  local: string;
  domain: string;
}

/**
 * The contacts who have or had one of these addresses, as rows of local, domain and id. The ledger
 * has no index over addresses: a send to a contact has the contact's id. Who was removed is not
 * among them.
 */
function contactsWith(workspaceId: number, addresses: readonly Address[]): Fragment {
  const copy = sql.lit(contactStates.copy);
  return sql`
    select a.local, a.domain, c.id
    from unnest(${addresses.map(({ local }) => local)}::text[], ${addresses.map(({ domain }) => domain)}::text[])
      a(local, domain)
    cross join lateral (
      select id from contacts
      where workspace_id = ${workspaceId} and domain = a.domain and local = a.local and state <> ${copy}
      union select id from contacts
      where workspace_id = ${workspaceId} and domain = a.domain and local = a.local and state = ${copy}
      union select contact_id from corrected_contacts
      where workspace_id = ${workspaceId} and old_domain = a.domain and old_local = a.local
      union select contact_id from merged_contacts
      where workspace_id = ${workspaceId} and domain = a.domain and local = a.local
    ) c`;
}

/** The sends `s` of campaigns that have not ended before a moment, to the contacts `c`. */
const campaignSends = (workspaceId: number, contacts: Fragment, since: Fragment): Fragment => sql`
  (${contacts}) c
  cross join (
    select id from mailings
    where workspace_id = ${workspaceId} and kind = 'campaign' and coalesce(ended_at, 'infinity') > ${since}
    offset 0
  ) m
  cross join lateral (
    select * from sends
    where workspace_id = ${workspaceId} and mailing_id = m.id and id = c.id and domain = c.domain and local = c.local
    offset 0
  ) s`;

/** The sends `s` to these addresses that are to no contact: transactional ones, and tests. */
const directSends = (workspaceId: number, addresses: readonly Address[]): Fragment => sql`
  unnest(${addresses.map(({ local }) => local)}::text[], ${addresses.map(({ domain }) => domain)}::text[]) a(local, domain)
  cross join lateral (
    select * from sends
    where workspace_id = ${workspaceId} and contact_id is null and domain = a.domain and local = a.local
    offset 0
  ) s`;

/** Whether a server took a message to the address since then, in another mailing than these. */
async function hasReached(
  tx: TenantTx,
  workspaceId: number,
  address: Address,
  { since, mailingIds }: { since: Date; mailingIds: readonly number[] },
): Promise<boolean> {
  const taken = sql`s.state = 'sent' and s.ended_at > ${since} and s.mailing_id <> all(${[...mailingIds]}::bigint[])`;
  const { rows } = await sql`
    select from ${campaignSends(workspaceId, contactsWith(workspaceId, [address]), sql`${since}::timestamptz`)}
    where ${taken}
    union all
    select from ${directSends(workspaceId, [address])} where ${taken}
    limit 1`.execute(tx);
  return rows.length > 0;
}

/** The last message to each of these addresses. */
async function latestTo(
  tx: TenantTx,
  workspaceId: number,
  addresses: readonly Address[],
  days: number,
): Promise<(SendKey & Address)[]> {
  const since = sql`now() - make_interval(days => ${days}::int)`;
  const { rows } = await sql<SendKey & Address>`
    select distinct on (domain, local) mailing_id as "mailingId", id as "sendId", local, domain
    from (
      select s.mailing_id, s.id, s.local, s.domain, s.handed_at
      from ${campaignSends(workspaceId, contactsWith(workspaceId, addresses), since)}
      union all
      select s.mailing_id, s.id, s.local, s.domain, s.handed_at
      from ${directSends(workspaceId, addresses)}
    ) sent
    where handed_at > ${since}
    order by domain, local, handed_at desc`.execute(tx);
  return rows;
}

/** What the feature that hears of bounces asks of mailings. */
export const bouncedMailings: BouncedMailings = {
  hasReached,
  latestTo,
  async handled(tx, workspaceId, mailingId) {
    const [mailing] = await selectStandings(tx, workspaceId, [mailingId]);
    return mailing?.status === 'sending' ? mailing.sent + mailing.failed : 0;
  },
  async pause(tx, workspaceId, mailingId, notice) {
    await moveMailing(tx, workspaceId, mailingId, { from: ['sending'], to: 'paused', notice });
  },
};
