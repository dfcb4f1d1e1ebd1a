import { sql } from 'kysely';
import { contactsOf } from '#features/bin/server/index.ts';
import { contactStates } from '#features/contacts/rules.ts';
import type { PersonalData } from '#platform/server/feature.ts';
import { forgetVerdicts } from '../verdict-queries.ts';

/** What was found out about a person's address. */
export const personal: PersonalData = {
  async export(tx, person) {
    const { workspaceId } = person;
    const { rows } = await sql<Record<string, unknown>>`
      select p.verdict, p.reasons, p.risk, p.kind, p.uk, v.checked_at as "checkedAt",
        s.to_local || '@' || s.to_domain as suggestion, m.local || '@' || m.domain as mailbox
      from contact_verifications v
      join verdict_profiles p on p.workspace_id = ${workspaceId} and p.id = v.profile_id
      left join contact_suggestions s on s.workspace_id = ${workspaceId} and s.contact_id = v.contact_id
      left join contact_mailboxes m on m.workspace_id = ${workspaceId} and m.contact_id = v.contact_id
      where v.workspace_id = ${workspaceId} and v.contact_id in (${contactsOf(person)})
      order by v.contact_id`.execute(tx);
    return rows.length > 0 ? { verdicts: rows } : {};
  },
  async erase(tx, person) {
    const { workspaceId, local, domain } = person;
    // Whoever spells the mailbox plainly was taken out of its count by the bin.
    const uncounted = sql.lit(contactStates.copy);
    await forgetVerdicts(
      tx,
      workspaceId,
      sql`select id, ${local}::text as local, ${domain}::text as domain, ${uncounted} as state
        from (${contactsOf(person)}) gone`,
    );
  },
};
