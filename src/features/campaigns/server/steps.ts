import type { TenantTx } from '#platform/server/database.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { londonClock, londonMoment } from '#platform/shared/london-time.ts';
import type {
  archiveCampaign as archiveEndpoint,
  Campaign,
  scheduleCampaign as scheduleEndpoint,
} from '../contract.ts';
import { testOf } from './ab-test/variants.ts';
import type { CampaignsContext, Doer } from './context.ts';
import { mailingOf, refuseFaulty } from './mailing-of.ts';
import { type CampaignRow, setStanding } from './queries.ts';
import { refuseTwoClocks } from './refuse-two-clocks.ts';
import { needCampaign, refuseChanged, showCampaign } from './show-campaign.ts';
import { note } from './write-campaign.ts';

/** The steps of a campaign after it is written. Each throws `conflict` where it makes no sense. */

type Step = (context: CampaignsContext, tx: TenantTx, doer: Doer, id: number) => Promise<Campaign>;

const step =
  (work: (context: CampaignsContext, tx: TenantTx, doer: Doer, row: CampaignRow) => Promise<void>): Step =>
  async (context, tx, doer, id) => {
    await work(context, tx, doer, await needCampaign(tx, doer.workspaceId, id, { lock: true }));
    return showCampaign(tx, context.sending, doer.workspaceId, id);
  };

const refuse = (message: string) => new AppError('conflict', message);
const scheduled = () => refuse('Cancel the schedule of this campaign first.');

export const pauseCampaign = step(async ({ sending }, tx, doer, { id, name, mailingId }) => {
  if (mailingId === null || !(await sending.pause(tx, doer.workspaceId, mailingId)))
    throw refuse('Only a campaign that is being sent can be paused.');
  await note(tx, doer, 'paused', id, { name });
});

export const resumeCampaign = step(async ({ sending }, tx, doer, { id, name, mailingId }) => {
  if (mailingId === null || !(await sending.resume(tx, doer.workspaceId, mailingId)))
    throw refuse('Only a paused campaign can be resumed.');
  await note(tx, doer, 'resumed', id, { name });
});

export const cancelCampaign = step(async ({ sending }, tx, doer, { id, name, mailingId, status }) => {
  const { workspaceId } = doer;
  if (status === 'scheduled') {
    await setStanding(tx, workspaceId, id, {
      ...{ status: 'draft', sendAt: null, scheduledAt: null, byRecipientZone: false, notice: null },
    });
    await note(tx, doer, 'unscheduled', id, { name });
    return;
  }
  if (mailingId === null || !(await sending.cancel(tx, workspaceId, mailingId)))
    throw refuse('Only a campaign that is scheduled or being sent can be cancelled.');
  await note(tx, doer, 'cancelled', id, { name });
});

/**
 * Puts a campaign away, or brings it back. Without `archived`, the other way round than it is.
 * Throws `conflict` for a scheduled one.
 */
export async function archiveCampaign(
  { sending }: CampaignsContext,
  tx: TenantTx,
  doer: Doer,
  id: number,
  { archived }: BodyOf<typeof archiveEndpoint>,
): Promise<Campaign> {
  const { workspaceId } = doer;
  const { name, status, archivedAt } = await needCampaign(tx, workspaceId, id, { lock: true });
  const isArchived = archivedAt !== null;
  const willBe = archived ?? !isArchived;
  // Nobody would see it in the list before it leaves.
  if (willBe && !isArchived && status === 'scheduled') throw scheduled();
  if (willBe !== isArchived) {
    await setStanding(tx, workspaceId, id, { archivedAt: willBe ? new Date() : null });
    await note(tx, doer, willBe ? 'archived' : 'unarchived', id, { name });
  }
  return showCampaign(tx, sending, workspaceId, id);
}

type Schedule = Omit<BodyOf<typeof scheduleEndpoint>, 'sendAt'> & { sendAt: Date };

/**
 * Has it sent at a time. Whoever is meant then gets it. One that is archived comes back. Throws
 * `conflict` where its parts leave at times of their own already, and `changed_meanwhile` where it
 * is not as it was seen.
 */
export async function scheduleCampaign(
  context: CampaignsContext,
  tx: TenantTx,
  doer: Doer,
  id: number,
  { sendAt: asked, byRecipientZone, updatedAt, seenSendAt }: Schedule,
): Promise<Campaign> {
  const { workspaceId } = doer;
  const row = await needCampaign(tx, workspaceId, id, { lock: true });
  const zoned = byRecipientZone ?? row.byRecipientZone;
  // A time on clocks may come twice in a night of October. The first is meant, as in all zones.
  const sendAt = zoned ? (londonMoment(londonClock(asked)) ?? asked) : asked;
  if (row.status === 'sent') throw refuse('This campaign was sent before.');
  refuseChanged(row, updatedAt);
  refuseMoved(row, seenSendAt);
  if (sendAt.getTime() <= Date.now()) {
    const message = 'This time has passed. Choose a later one, or send it now.';
    throw new AppError('invalid_input', message, { fields: { sendAt: message } });
  }
  refuseTwoClocks({ ...row, byRecipientZone: zoned });
  const content = await mailingOf(tx, workspaceId, row, context.config);
  await refuseFaulty(context, tx, workspaceId, content);
  await testOf(context, tx, workspaceId, row);
  await setStanding(tx, workspaceId, id, {
    ...{ status: 'scheduled', sendAt, scheduledAt: new Date(), byRecipientZone: zoned },
    ...{ notice: null, archivedAt: null },
  });
  await note(tx, doer, 'scheduled', id, {
    ...{ name: row.name, sendAt: sendAt.toISOString(), ...(zoned && { byRecipientZone: true }) },
  });
  return showCampaign(tx, context.sending, workspaceId, id);
}

/**
 * Throws `changed_meanwhile` when it is not scheduled for the time that was seen. Its `updatedAt`
 * does not tell: to be scheduled or taken back changes nothing of it. Undefined: nobody looked.
 */
function refuseMoved({ status, sendAt }: CampaignRow, seen: string | undefined): void {
  if (seen === undefined || (status === 'scheduled' && sendAt?.getTime() === Date.parse(seen))) return;
  const message = 'Somebody has moved this campaign or taken its schedule back meanwhile.';
  throw new AppError('changed_meanwhile', message);
}

/** Deletes a draft. */
export async function deleteCampaign(tx: TenantTx, doer: Doer, id: number): Promise<{ deleted: 1 }> {
  const row = await needCampaign(tx, doer.workspaceId, id, { lock: true });
  if (row.status !== 'draft')
    throw row.status === 'scheduled'
      ? scheduled()
      : refuse('A campaign that was sent stays, since its figures are kept. Archive it instead.');
  await setStanding(tx, doer.workspaceId, id, { deletedAt: new Date() });
  await note(tx, doer, 'deleted', id, { name: row.name });
  return { deleted: 1 };
}

/** Brings a deleted draft back. */
export async function restoreCampaign(
  { sending }: CampaignsContext,
  tx: TenantTx,
  doer: Doer,
  id: number,
): Promise<Campaign> {
  const { workspaceId } = doer;
  const row = await needCampaign(tx, workspaceId, id, { lock: true, deleted: true });
  await setStanding(tx, workspaceId, id, { deletedAt: null });
  await note(tx, doer, 'brought_back', id, { name: row.name });
  return showCampaign(tx, sending, workspaceId, id);
}
