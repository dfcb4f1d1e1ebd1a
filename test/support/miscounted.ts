import { sql } from 'kysely';
import type { Database } from '#platform/server/database.ts';

/**
 * Lists and tags whose count is not the number of contacts that are on them now, and memberships of
 * contacts that are not there. Empty when the books are right.
 */
export const miscounted = ({ database }: { database: Database }, workspaceId: number): Promise<unknown[]> =>
  database.asTenant(workspaceId, async (tx) => {
    const { rows } = await sql`
      select 'list' as kind, l.name, l.contact_count as counted, (
        select count(*) from list_members m
        join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id
        where m.workspace_id = l.workspace_id and m.list_id = l.id
      ) as there, (
        select count(*) from list_members m where m.workspace_id = l.workspace_id and m.list_id = l.id
      ) as rows
      from lists l where l.workspace_id = ${workspaceId}
      union all
      select 'tag', t.name, t.contact_count, (
        select count(*) from contact_tags m
        join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id
        where m.workspace_id = t.workspace_id and m.tag_id = t.id
      ), (
        select count(*) from contact_tags m where m.workspace_id = t.workspace_id and m.tag_id = t.id
      )
      from tags t where t.workspace_id = ${workspaceId}`.execute(tx);
    return rows.filter((row) => {
      const { counted, there, rows: stored } = row as { counted: number; there: number; rows: number };
      return counted !== there || stored !== there;
    });
  });
