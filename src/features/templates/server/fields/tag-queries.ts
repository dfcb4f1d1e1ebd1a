import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { FindUses } from '#platform/server/feature.ts';
import { asksForTagPattern, type TagAnswers } from '../../rules/tag-fields.ts';

/** The templates whose blocks are shown by a tag, as they stand now. */
export const selectUses: FindUses = async (tx, workspaceId, { condition, id }) => {
  if (condition !== 'tag') return [];
  const asked = asksForTagPattern(id);
  const { rows } = await sql<{ kind: string; id: number; name: string }>`
    select 'template' as kind, t.id, v.name from templates t
    join template_versions v on v.workspace_id = t.workspace_id and v.template_id = t.id and v.version = t.version
    where t.workspace_id = ${workspaceId} and t.deleted_at is null
      and (v.html_content ~ ${asked} or v.text_content ~ ${asked})
    order by lower(v.name), t.id`.execute(tx);
  return rows;
};

/** The tags that there are, A to Z. */
export async function selectTags(tx: TenantTx, workspaceId: number): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from tags where workspace_id = ${workspaceId} and deleted_at is null
    order by name_key, id`.execute(tx);
  return rows;
}

/**
 * Whether a contact has each tag in `which`, as JSON: `{"t12": true}`. A deleted tag is absent.
 * The whole is null where there is no tag.
 */
export const tagAnswers = (workspaceId: number, contactId: Fragment, which: Fragment): Fragment => sql`(
  select jsonb_object_agg('t' || g.id, exists (
    select from contact_tags k
    where k.workspace_id = ${workspaceId} and k.tag_id = g.id and k.contact_id = ${contactId}))
  from tags g where g.workspace_id = ${workspaceId} and g.deleted_at is null and ${which})`;

/** The same for all tags. Without a contact, every answer is no. */
export async function selectTagAnswers(
  tx: TenantTx,
  workspaceId: number,
  contactId: number | null,
): Promise<TagAnswers> {
  const { rows } = await sql<{ tags: TagAnswers | null }>`
    select ${tagAnswers(workspaceId, sql`${contactId}::bigint`, sql`true`)} as tags`.execute(tx);
  return rows[0]?.tags ?? {};
}
