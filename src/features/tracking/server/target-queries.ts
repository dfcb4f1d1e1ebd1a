import { sql } from 'kysely';
import type { Target } from '#features/links/rules/targets.ts';
import { countedLinks, type LinkOfTemplate } from '#features/links/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';

/** Stores the targets of a mailing's links, numbered from `base`. Others are never led to. */
export async function storeLinks(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
  links: readonly LinkOfTemplate[],
  base = 0,
): Promise<void> {
  const counted = countedLinks(links, base);
  if (counted.length === 0) return;
  await sql`
    insert into mailing_links (workspace_id, mailing_id, number, part, url, prefix)
    select ${workspaceId}, ${mailingId}, number, part, target, prefix
    from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb)
      as l(number int, part text, target text, prefix text)`.execute(tx);
}

/** Where the links of a mailing lead, by their numbers. */
export async function selectTargets(
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
): Promise<Map<number, Target>> {
  const { rows } = await sql<Target & { number: number }>`
    select number, url as target, prefix from mailing_links
    where workspace_id = ${workspaceId} and mailing_id = ${mailingId}`.execute(tx);
  return new Map(rows.map(({ number, ...target }) => [number, target]));
}
