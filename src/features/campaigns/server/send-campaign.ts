import type { TenantTx } from '#platform/server/database.ts';
import { each } from '#platform/server/each-workspace.ts';
import { AppError } from '#platform/shared/errors.ts';
import { londonClock } from '#platform/shared/london-time.ts';
import type { Campaign } from '../contract.ts';
import { testOf } from './ab-test/variants.ts';
import { audienceTree, listsNeededBy } from './audience/audience-tree.ts';
import type { CampaignsContext, Doer } from './context.ts';
import { mailingOf, refuseFaulty } from './mailing-of.ts';
import { type CampaignRow, selectDueCampaigns, setStanding } from './queries.ts';
import { needCampaign, refuseChanged, showCampaign } from './show-campaign.ts';
import { note, tell } from './write-campaign.ts';

/**
 * Freezes the content of a draft or a scheduled campaign and begins to send it. One that is
 * archived comes back. Call `sending.wake` once the transaction has committed. Throws `conflict`
 * when it was sent, so that two people who press Send at once send it once, and
 * `changed_meanwhile`.
 */
export async function sendCampaign(
  context: CampaignsContext,
  tx: TenantTx,
  doer: Doer,
  id: number,
  { updatedAt }: { updatedAt?: string | undefined },
): Promise<Campaign> {
  const { workspaceId } = doer;
  const row = await needCampaign(tx, workspaceId, id, { lock: true });
  if (row.status === 'sent') throw new AppError('conflict', 'This campaign was sent before.');
  refuseChanged(row, updatedAt);
  // Now is now, wherever somebody is.
  await begin(context, tx, doer, { ...row, byRecipientZone: false });
  return showCampaign(tx, context.sending, workspaceId, id);
}

async function begin(context: CampaignsContext, tx: TenantTx, doer: Doer, row: CampaignRow): Promise<void> {
  const { workspaceId, actor } = doer;
  const { byRecipientZone } = row;
  const content = await mailingOf(tx, workspaceId, row, context.config);
  await refuseFaulty(context, tx, workspaceId, content);
  const test = await testOf(context, tx, workspaceId, row);
  const audience = await audienceTree(context, tx, workspaceId, row.audience);
  // Refuses lists whose rules cannot be read any more, before anybody is mailed.
  await context.audience.conditionForCopy(tx, workspaceId, audience);
  const mailingId = await context.sending.create(tx, workspaceId, {
    ...content,
    kind: 'campaign',
    campaignId: row.id,
    audience,
    neededLists: await listsNeededBy(context, tx, workspaceId, { tree: audience, chosen: row.audience }),
    restDays: row.audience.notMailedDays ?? null,
    spreadHours: row.spreadHours,
    localTime: byRecipientZone && row.sendAt !== null ? londonClock(row.sendAt) : null,
    createdBy: actor,
    test,
  });
  await setStanding(tx, workspaceId, row.id, {
    ...{ status: 'sent', mailingId, sentAt: new Date(), byRecipientZone, notice: null, archivedAt: null },
  });
  if (row.templateId !== null) await context.templates.used(tx, workspaceId, row.templateId);
  await note(tx, doer, 'sent', row.id, { name: row.name });
  await tell(tx, doer, 'Campaign Sent', { id: row.id, name: row.name });
}

/**
 * Sends what is due in a workspace. What is more than two hours late waits for somebody to decide:
 * an offer of this morning must not go out at night, in any zone, because a server was away.
 */
export async function sendDue(
  context: CampaignsContext,
  workspaceId: number,
  signal?: AbortSignal,
): Promise<void> {
  const { db, sending, log } = context;
  const due = await db.asTenant(workspaceId, (tx) => selectDueCampaigns(tx, workspaceId));
  const failed = 'A scheduled campaign could not be sent';
  const about = ({ id }: { id: number }) => ({ workspaceId, campaignId: id });
  await each(due, { failed, log, signal, about }, ({ id }) =>
    db.asTenant(workspaceId, async (tx) => {
      const row = await needCampaign(tx, workspaceId, id, { lock: true });
      // Meanwhile somebody may have sent it, moved it or taken its schedule back.
      const [still] = await selectDueCampaigns(tx, workspaceId, id);
      if (!still) return;
      if (still.isLate) return setStanding(tx, workspaceId, id, { notice: missed });
      try {
        await begin(context, tx, { workspaceId, actor: null }, row);
      } catch (error) {
        if (!(error instanceof AppError) || error.kind === 'internal') throw error;
        await setStanding(tx, workspaceId, id, { notice: error.message });
      }
    }),
  );
  if (due.length > 0) sending.wake();
}

const missed =
  'It should have begun more than two hours ago, when the product was not running. Send it now, or choose another time.';
