import { sql } from 'kysely';
import { averageWorkspace, type Fragment, type TenantTx } from '#platform/server/database.ts';
import { applyDomainDeltas, lockDomains } from './rollup-queries.ts';

/*
 * The two hooks that keep the figures up to date: contacts added and contacts gone. Contacts are
 * passed as a fragment that yields (domain, local, state), one row per contact. Each hook runs at
 * most once per transaction and comes last in it: from there to the commit, whoever adds or removes
 * contacts waits for the workspace's row of counts.
 */

/**
 * What the contacts add to the domains' figures (sign 1) or take from them (-1). The order and the
 * limit do not change the result. They make the planner look up the index once for each contact.
 */
function deltaOf(workspaceId: number, contacts: Fragment, sign: 1 | -1): Fragment {
  const count = (state: number, suppressed: boolean) =>
    sql`${sign}::int * count(*) filter (where g.state = ${sql.lit(state)}${suppressed ? sql` and s.id is not null` : sql``})`;
  return sql`
    select g.domain, ${count(0, false)} as valid, ${count(1, false)} as invalid, ${count(2, false)} as duplicate,
           ${count(0, true)} as valid_suppressed, ${count(1, true)} as invalid_suppressed,
           ${count(2, true)} as duplicate_suppressed
    from (${contacts}) g
    left join lateral (
      select s.id from suppressions s
      where s.workspace_id = ${averageWorkspace(workspaceId)} and s.domain = g.domain and s.local = g.local
      order by s.domain, s.local limit 1
    ) s on true
    group by g.domain`;
}

/** Counts contacts that were just added. Takes the rollup lock shared. */
export async function contactsAdded(tx: TenantTx, workspaceId: number, added: Fragment): Promise<void> {
  await lockDomains(tx, workspaceId, 'shared');
  await applyDomainDeltas(tx, workspaceId, deltaOf(workspaceId, added, 1));
}

/** Subtracts contacts that were just removed from the figures. Takes the rollup lock shared. */
export async function contactsGone(tx: TenantTx, workspaceId: number, gone: Fragment): Promise<void> {
  await lockDomains(tx, workspaceId, 'shared');
  await applyDomainDeltas(tx, workspaceId, deltaOf(workspaceId, gone, -1));
}

/**
 * Both, for contacts that just got another address: as they were and as they are. Takes the rollup
 * lock exclusively, because address changes carry suppressions over afterwards.
 */
export async function contactsReaddressed(
  tx: TenantTx,
  workspaceId: number,
  { before, after }: { before: Fragment; after: Fragment },
): Promise<void> {
  await lockDomains(tx, workspaceId, 'exclusive');
  const gone = deltaOf(workspaceId, before, -1);
  const added = deltaOf(workspaceId, after, 1);
  await applyDomainDeltas(tx, workspaceId, sql`${gone} union all ${added}`);
}
