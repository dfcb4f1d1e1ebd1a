import { sql } from 'kysely';
import { contactsOf } from '#features/bin/server/index.ts';
import { suppressRecipients } from '#features/suppressions/server/index.ts';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { Person, PersonalData } from '#platform/server/feature.ts';
import { lockOrder } from './queries.ts';

/** The rows about a person, under this address or an earlier one of their contact. */
const about = (person: Person): Fragment => {
  const { workspaceId, local, domain } = person;
  return sql`
    workspace_id = ${workspaceId}
      and ((domain = ${domain} and local = ${local}) or contact_id = any(array(${contactsOf(person)})))`;
};

/** Mails that came back of messages to a person, and those that they wrote themselves. */
const mailsOf = (person: Person): Fragment => {
  const { workspaceId, local, domain } = person;
  return sql`((${about(person)}) or (workspace_id = ${workspaceId} and sender_key = ${`${local}@${domain}`}))`;
};

/** What came back of messages to a person. */
export const personal: PersonalData = {
  async export(tx, person) {
    const bounces = await sql<{ class: string; kind: string; said: string; at: Date }>`
      select class, kind, said, at from bounces where ${about(person)} order by id`.execute(tx);
    const mails = await sql<{ from: string; subject: string; text: string; source: string; at: Date }>`
      select sender as from, subject, text, source, received_at as at from bounce_mails
      where ${mailsOf(person)} order by id`.execute(tx);
    return {
      ...(bounces.rows.length > 0 && { bounces: bounces.rows }),
      ...(mails.rows.length > 0 && { returnedMails: mails.rows }),
    };
  },
  // The figures of mailings stay. They name nobody.
  async erase(tx, person) {
    await tellSuppressions(tx, person);
    await sql`delete from bounces where ${about(person)}`.execute(tx);
    await sql`delete from bounce_mails where ${mailsOf(person)}`.execute(tx);
  },
};

interface OpenBounce {
  id: number;
  local: string;
  domain: string;
  class: 'hard' | 'soft' | 'complaint';
  /** The suppression list is to be told of it. */
  isOpen: boolean;
}

/**
 * Tells the suppression list what it has not been told yet, so that it keeps the hash. Otherwise
 * the next import would bring back whoever complained.
 */
async function tellSuppressions(tx: TenantTx, person: Person): Promise<void> {
  const { rows } = await sql<OpenBounce>`
    select id, local, domain, class, is_due and class in ('hard', 'complaint') as "isOpen" from bounces
    where ${about(person)} order by ${lockOrder} for update`.execute(tx);
  const open = rows.filter(({ isOpen }) => isOpen).sort((one, other) => one.id - other.id);
  const told = open.flatMap(({ class: is, local, domain }) => {
    const isComplaint = is === 'complaint';
    const why = { reason: isComplaint ? 'complained' : 'bounced', note: null } as const;
    // A complaint is by a person, wherever they are mailed by now.
    const now = isComplaint ? [{ local: person.local, domain: person.domain, ...why }] : [];
    return [{ local, domain, ...why }, ...now];
  });
  await suppressRecipients(tx, person.workspaceId, told);
}
