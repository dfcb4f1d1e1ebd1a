import { sql } from 'kysely';
import type { ImageUser } from '#features/images/server/index.ts';

/** What of a version may name an image: the HTML, and what it is made from. */
const shows = (token: ReturnType<typeof sql>) => sql`
  (position(${token} in v.html_content) > 0 or position(${token} in coalesce(v.source::text, '')) > 0)`;

/** Templates show images. A token is 22 random characters, so whatever holds it means the image. */
export const templateImages: ImageUser = {
  /** Templates whose current version shows the image. */
  async usesOf(tx, workspaceId, token) {
    const { rows } = await sql<{ id: number; name: string }>`
      select t.id, v.name
      from templates t
      join template_versions v
        on v.workspace_id = t.workspace_id and v.template_id = t.id and v.version = t.version
      where t.workspace_id = ${workspaceId} and t.deleted_at is null and ${shows(sql`${token}::text`)}
      order by v.name, t.id limit 20`.execute(tx);
    return rows.map((row) => ({ kind: 'template', ...row }));
  },

  /**
   * Images of any version, of deleted templates too: all of them may come back. And those of the
   * brand and of blocks that are kept.
   */
  async held(tx, workspaceId, tokens) {
    const { rows } = await sql<{ token: string }>`
      select wanted.token from unnest(${tokens}::text[]) as wanted (token)
      where exists (
        select from template_versions v
        where v.workspace_id = ${workspaceId} and ${shows(sql`wanted.token`)})
      or exists (
        select from template_brands b
        where b.workspace_id = ${workspaceId} and position(wanted.token in b.brand::text) > 0)
      or exists (
        select from template_blocks b
        where b.workspace_id = ${workspaceId} and position(wanted.token in b.block::text) > 0)`.execute(tx);
    return rows.map(({ token }) => token);
  },
};
