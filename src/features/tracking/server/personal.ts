import { sql } from 'kysely';
import { contactsOf } from '#features/bin/server/index.ts';
import { suppressRecipients } from '#features/suppressions/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { Person, PersonalData } from '#platform/server/feature.ts';
import { type AddressKey, deletePause } from './leaving/pause-queries.ts';

/** What readers did with their messages, and the break that they take. */
export const personal: PersonalData = {
  async export(tx, person) {
    const { workspaceId, local, domain } = person;
    const pauses = await sql<{ until: Date }>`
      select until from mailing_pauses
      where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local}`.execute(tx);
    const events = await sql<
      { kind: string; at: Date; url: string | null } & Record<
        'device' | 'program' | 'country' | 'agent',
        string | null
      >
    >`
      select e.kind, e.at, l.url, e.device, e.program, e.country, a.agent
      from tracked_sends s
      join tracking_events e on e.workspace_id = ${workspaceId} and e.mailing_id = s.mailing_id and e.send_id = s.send_id
      left join mailing_links l on l.workspace_id = ${workspaceId} and l.mailing_id = e.mailing_id and l.number = e.link
      left join tracking_agents a on a.workspace_id = ${workspaceId} and a.hash = e.agent_hash
      where s.workspace_id = ${workspaceId} and s.contact_id in (${contactsOf(person)})
      order by e.at`.execute(tx);
    const requests = await sql<{ from: string; to: string; askedAt: Date }>`
      select old_local || '@' || old_domain as from, local || '@' || domain as to, asked_at as "askedAt"
      from address_requests
      where workspace_id = ${workspaceId}
        and ((old_domain = ${domain} and old_local = ${local}) or contact_id = any(array(${contactsOf(person)}))
          or to_contact_id = any(array(${contactsOf(person)})))
      order by asked_at`.execute(tx);
    return {
      ...(requests.rows.length > 0 && { addressRequests: requests.rows }),
      ...(pauses.rows.length > 0 && { pausedUntil: pauses.rows[0]?.until }),
      ...(events.rows.length > 0 && { emailEvents: events.rows }),
    };
  },
  // The figures of mailings stay. They name nobody.
  async erase(tx, person) {
    const { workspaceId, local, domain } = person;
    await leave(tx, person);
    await sql`
      delete from tracking_events e using tracked_sends s
      where s.workspace_id = ${workspaceId} and s.contact_id in (${contactsOf(person)})
        and e.workspace_id = ${workspaceId} and e.mailing_id = s.mailing_id and e.send_id = s.send_id`.execute(
      tx,
    );
    await sql`
      update tracked_sends set contact_id = null
      where workspace_id = ${workspaceId} and contact_id in (${contactsOf(person)})`.execute(tx);
    await sql`
      delete from address_requests
      where workspace_id = ${workspaceId}
        and ((domain = ${domain} and local = ${local}) or (old_domain = ${domain} and old_local = ${local})
          or contact_id = any(array(${contactsOf(person)})) or to_contact_id = any(array(${contactsOf(person)})))`.execute(
      tx,
    );
    await deletePause(tx, workspaceId, person);
    await sql`delete from leave_wishes where ${wishesOf(person)}`.execute(tx);
  },
};

/** What a person wished under this address or an earlier one of their contact. */
const wishesOf = (person: Person): Fragment => {
  const { workspaceId, local, domain } = person;
  return sql`
    workspace_id = ${workspaceId}
      and ((domain = ${domain} and local = ${local}) or contact_id = any(array(${contactsOf(person)})))`;
};

/**
 * Carries out the wishes to leave that are still open, so that the suppression list keeps the hash.
 * Otherwise the next import would bring back whoever has left.
 */
async function leave(tx: TenantTx, person: Person): Promise<void> {
  const { rows } = await sql<AddressKey>`
    select local, domain from leave_wishes
    where ${wishesOf(person)} and done_at is null order by id`.execute(tx);
  const keys = rows.length > 0 ? [...rows, person] : [];
  await suppressRecipients(
    tx,
    person.workspaceId,
    keys.map(({ local, domain }) => ({ local, domain, reason: 'unsubscribed', note: null })),
  );
}
