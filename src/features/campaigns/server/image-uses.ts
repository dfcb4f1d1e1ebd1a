import { sql } from 'kysely';
import type { ImageUser } from '#features/images/server/index.ts';

/** Campaigns show images. Each keeps the tokens of those in its content and its variants. */
export const campaignImages: ImageUser = {
  /** The newest campaigns that show the image, sent ones too: their reports show them. */
  async usesOf(tx, workspaceId, token) {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from campaigns
      where workspace_id = ${workspaceId} and deleted_at is null and ${token} = any(image_tokens)
      order by id desc limit 20`.execute(tx);
    return rows.map((row) => ({ kind: 'campaign', ...row }));
  },

  /** Images of any campaign, of deleted ones too: they may come back. */
  async held(tx, workspaceId, tokens) {
    const { rows } = await sql<{ token: string }>`
      select distinct shown.token
      from campaigns c, unnest(c.image_tokens) as shown (token)
      where c.workspace_id = ${workspaceId} and shown.token = any(${tokens}::text[])`.execute(tx);
    return rows.map(({ token }) => token);
  },
};
