import { sql } from 'kysely';
import { mailboxKey } from '#features/addresses/rules.ts';
import { contactsOf } from '#features/bin/server/index.ts';
import type { Fragment } from '#platform/server/database.ts';
import type { Person, PersonalData } from '#platform/server/feature.ts';

/** The lines `k` of corrections of a person: to the address they have, or from it. */
const corrected = (person: Person): Fragment => {
  const { workspaceId, local, domain } = person;
  return sql`
    k.workspace_id = ${workspaceId} and (k.contact_id in (${contactsOf(person)})
      or (k.old_domain = ${domain} and k.old_local = ${local})
      or (k.new_domain = ${domain} and k.new_local = ${local}))`;
};

/** The lines `k` of merges that a person's contact went into another by. */
const merged = (person: Person): Fragment => {
  const { workspaceId, local, domain } = person;
  return sql`
    k.workspace_id = ${workspaceId}
      and ((k.domain = ${domain} and k.local = ${local}) or k.contact_id in (${contactsOf(person)}))`;
};

/** Addresses that were corrected, contacts that were merged, and what was dismissed. */
export const personal: PersonalData = {
  async export(tx, person) {
    const { workspaceId, local, domain } = person;
    const corrections = await sql<{ from: string; to: string; at: Date }>`
      select coalesce(k.old_address, k.old_local || '@' || k.old_domain) as from,
        k.new_local || '@' || k.new_domain as to, c.created_at as at
      from corrected_contacts k
      join corrections c on c.workspace_id = k.workspace_id and c.id = k.correction_id
      where ${corrected(person)} order by c.id`.execute(tx);
    const merges = await sql<{ before: unknown; after: unknown; at: Date }>`
      select m.before, m.after, m.created_at as at from merges m
      where m.workspace_id = ${workspaceId} and m.kept_id in (${contactsOf(person)})
      union all
      select null, null, m.created_at from merged_contacts k
      join merges m on m.workspace_id = k.workspace_id and m.id = k.merge_id
      where k.workspace_id = ${workspaceId} and k.domain = ${domain} and k.local = ${local}
      order by at`.execute(tx);
    return {
      ...(corrections.rows.length > 0 && { corrections: corrections.rows }),
      ...(merges.rows.length > 0 && { merges: merges.rows }),
    };
  },
  // Corrections and merges keep their numbers, which name nobody.
  async erase(tx, person) {
    const { workspaceId, local, domain } = person;
    await sql`delete from corrected_contacts k where ${corrected(person)}`.execute(tx);
    await sql`
      update merges m set before = '{}', after = null
      where m.workspace_id = ${workspaceId} and m.kept_id in (${contactsOf(person)})`.execute(tx);
    // What these merges wrote into another contact came from theirs.
    await sql`
      update merges m set after = null
      where m.workspace_id = ${workspaceId}
        and m.id in (select k.merge_id from merged_contacts k where ${merged(person)})`.execute(tx);
    await sql`delete from merged_contacts k where ${merged(person)}`.execute(tx);
    await sql`
      delete from review_dismissals
      where workspace_id = ${workspaceId}
        and ((kind = 'address' and key = ${`${local}@${domain}`})
          or (kind = 'mailbox' and key = ${mailboxKey(local, domain)}))`.execute(tx);
  },
};
