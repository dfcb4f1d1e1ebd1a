import { sendsBack } from '#features/bounces/server/index.ts';
import { readersWho, selectPeopleByLink } from '#features/tracking/server/index.ts';
import { inBackground } from '#platform/server/call-context.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { type Breakdown, namedDomains } from '../../contract/breakdown.ts';
import type { CampaignsContext } from '../context.ts';
import { needCampaign } from '../show-campaign.ts';
import { claimCount, type Figures, keepCount, selectKept } from './breakdown-queries.ts';

/** A campaign to no more people is counted while the caller waits. */
const countedAtOnce = 20_000;

const nothing: Figures = { domains: [], links: [] };

type Context = Pick<CampaignsContext, 'db' | 'sending' | 'log'>;

/**
 * What became of a campaign at each receiving domain and by each link. A large campaign is counted
 * in the background: its last count is returned at once, and made anew when it is old. Throws
 * `not_found`.
 */
export async function showBreakdown(
  context: Context,
  workspaceId: number,
  id: number,
  fewPeople = countedAtOnce,
): Promise<Breakdown> {
  const { db, sending, log } = context;
  return db.asTenant(workspaceId, async (tx) => {
    const { mailingId } = await needCampaign(tx, workspaceId, id);
    if (mailingId === null) return { countedAt: null, isCounting: false, ...nothing };
    const [standing] = await sending.standings(tx, workspaceId, [mailingId]);
    if ((standing?.total ?? 0) <= fewPeople) {
      const figures = await count(context, tx, workspaceId, mailingId);
      return { countedAt: new Date().toISOString(), isCounting: false, ...figures };
    }
    const known = await selectKept(tx, workspaceId, id);
    const isDue = known?.isDue ?? true;
    if (isDue)
      inBackground(() => countAnew(context, workspaceId, { id, mailingId })).catch((error: unknown) =>
        log.error({ err: error, workspaceId, campaign: id }, 'a campaign could not be broken down'),
      );
    return {
      countedAt: known?.countedAt?.toISOString() ?? null,
      isCounting: isDue || known?.isClaimed === true,
      ...(known?.figures ?? nothing),
    };
  });
}

async function countAnew(
  context: Context,
  workspaceId: number,
  { id, mailingId }: { id: number; mailingId: number },
): Promise<void> {
  const { db } = context;
  if (!(await db.asTenant(workspaceId, (tx) => claimCount(tx, workspaceId, id)))) return;
  const began = performance.now();
  await db.asTenant(workspaceId, async (tx) => {
    const figures = await count(context, tx, workspaceId, mailingId);
    await keepCount(tx, workspaceId, id, { figures, tookMs: performance.now() - began });
  });
}

async function count(
  { sending }: Context,
  tx: TenantTx,
  workspaceId: number,
  mailingId: number,
): Promise<Figures> {
  const sets = {
    bounced: sendsBack(workspaceId, mailingId, 'bounce'),
    complained: sendsBack(workspaceId, mailingId, 'complaint'),
    opened: readersWho(workspaceId, mailingId, 'opened', 'people'),
    clicked: readersWho(workspaceId, mailingId, 'clicked', 'people'),
    unsubscribed: readersWho(workspaceId, mailingId, 'left', 'people'),
  };
  const found = await sending.byDomain(tx, workspaceId, mailingId, { most: namedDomains, sets });
  const domains = found.map(({ among, ...line }) => ({
    ...{ ...line, ...(among as Record<keyof typeof sets, number>) },
  }));
  return { domains, links: await selectPeopleByLink(tx, workspaceId, mailingId) };
}
