import { sql } from 'kysely';
import { contactsOf } from '#features/bin/server/index.ts';
import type { PersonalData } from '#platform/server/feature.ts';
import { basisOf } from '../rules.ts';
import { addedToCounts, holdBases } from './count-queries.ts';

interface Said {
  basis: number;
  source: string | null;
  givenOn: string | null;
  recordedAt: Date;
}

/** What is said and was said of a person's marketing basis. */
export const basisPersonal: PersonalData = {
  async export(tx, person) {
    const { workspaceId } = person;
    const { rows } = await sql<Said>`
      select b.basis, h.source, b.given_on::text as "givenOn", h.created_at as "recordedAt"
      from (
        select contact_id, basis, given_on, change_id from contact_bases where workspace_id = ${workspaceId}
        union all
        select contact_id, basis, given_on, change_id from former_bases where workspace_id = ${workspaceId}
      ) b
      join basis_changes h on h.workspace_id = ${workspaceId} and h.id = b.change_id
      where b.contact_id in (${contactsOf(person)})
      order by h.id`.execute(tx);
    if (rows.length === 0) return {};
    return { marketingBasis: rows.map(({ basis, ...row }) => ({ basis: basisOf(basis), ...row })) };
  },
  async erase(tx, person) {
    const { workspaceId } = person;
    await holdBases(tx, workspaceId);
    await sql`
      with gone as (
        delete from contact_bases b
        where b.workspace_id = ${workspaceId} and b.contact_id in (${contactsOf(person)})
        returning b.basis
      ),
      ${addedToCounts(workspaceId, sql`select basis, -count(*) as contacts from gone group by basis`)}
      delete from former_bases f
      where f.workspace_id = ${workspaceId} and f.contact_id in (${contactsOf(person)})`.execute(tx);
  },
};
