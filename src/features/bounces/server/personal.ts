import { sql } from 'kysely';
import type { PersonalData } from '#platform/server/feature.ts';

/** What came back of messages to a person. */
export const personal: PersonalData = {
  async export(tx, { workspaceId, local, domain }) {
    const { rows } = await sql<{ class: string; kind: string; said: string; at: Date }>`
      select class, kind, said, at from bounces
      where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local} order by id`.execute(
      tx,
    );
    return rows.length > 0 ? { bounces: rows } : {};
  },
  // The figures of mailings stay. They name nobody.
  async erase(tx, { workspaceId, local, domain }) {
    await sql`
      delete from bounces
      where workspace_id = ${workspaceId} and domain = ${domain} and local = ${local}`.execute(tx);
  },
};
