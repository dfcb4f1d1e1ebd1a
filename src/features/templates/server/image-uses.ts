import { sql } from 'kysely';
import type { ImageUser } from '#features/images/server/index.ts';

/** Templates show images. Each version keeps the tokens of those in it. */
export const templateImages: ImageUser = {
  /** Templates whose current version shows the image. */
  async usesOf(tx, workspaceId, token) {
    const { rows } = await sql<{ id: number; name: string }>`
      select t.id, v.name
      from templates t
      join template_versions v
        on v.workspace_id = t.workspace_id and v.template_id = t.id and v.version = t.version
      where t.workspace_id = ${workspaceId} and t.deleted_at is null and ${token} = any(v.image_tokens)
      order by v.name, t.id limit 20`.execute(tx);
    return rows.map((row) => ({ kind: 'template', ...row }));
  },

  /**
   * Images of any version, of deleted templates too: all of them may come back. And those of the
   * brand and of blocks that are kept.
   */
  async held(tx, workspaceId, tokens) {
    const { rows } = await sql<{ token: string }>`
      select distinct shown.token
      from (
        select v.image_tokens as tokens from template_versions v where v.workspace_id = ${workspaceId}
        union all
        select image_tokens_in(b.brand::text) from template_brands b where b.workspace_id = ${workspaceId}
        union all
        select image_tokens_in(b.block::text) from template_blocks b where b.workspace_id = ${workspaceId}
      ) kept, unnest(kept.tokens) as shown (token)
      where shown.token = any(${tokens}::text[])`.execute(tx);
    return rows.map(({ token }) => token);
  },
};
