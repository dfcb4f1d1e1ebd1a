import { setTimeout as sleep } from 'node:timers/promises';
import { answerWithEvents } from '#platform/server/event-stream.ts';
import { type Call, goneSignal } from '#platform/server/http.ts';
import type { Campaign, CampaignProgress, followCampaign } from '../../contract.ts';
import { isMoving } from '../../rules/campaign.ts';
import type { CampaignsContext } from '../context.ts';
import { showCampaign } from '../show-campaign.ts';

/** Between two looks at where it stands: shortly after a change, and when nothing changes. */
const shortestMs = 1_000;
const longestMs = 4_000;
/** A listener hears as often that somebody is there. */
const heartbeatMs = 10_000;

/** Tells where a campaign stands whenever that changes, until nothing more changes by itself. */
export async function streamCampaign(
  { db, sending }: CampaignsContext,
  call: Call<typeof followCampaign>,
): Promise<unknown> {
  const { workspaceId, params, reply } = call;
  const read = async () =>
    progressOf(await db.asTenant(workspaceId, (tx) => showCampaign(tx, sending, workspaceId, params.id)));
  let current = await read();
  const gone = goneSignal(reply);
  const next = async (told: CampaignProgress) => {
    const words = JSON.stringify(told);
    const until = Date.now() + heartbeatMs;
    for (
      let pause = shortestMs;
      !gone.aborted && Date.now() < until;
      pause = Math.min(longestMs, 2 * pause)
    ) {
      await sleep(pause);
      current = await read();
      if (JSON.stringify(current) !== words) return;
    }
  };
  return answerWithEvents(call, async () =>
    isMoving(current)
      ? { event: 'progress', data: current, until: next(current) }
      : { event: 'done', data: current },
  );
}

const progressOf = (campaign: Campaign): CampaignProgress => {
  const { status, notice, totalRecipients, sent, failed, skipped, uncertain, pending, leftOut } = campaign;
  const { opened, clicked, machineOpened, machineClicked, bounced, complained, unsubscribed } = campaign;
  const { sentAt, endedAt, delivered, keptMailingId, neverLeft } = campaign;
  return {
    ...{ status, notice, totalRecipients, sent, failed, skipped, uncertain, pending, leftOut },
    ...{ opened, clicked, machineOpened, machineClicked, bounced, complained, unsubscribed },
    ...{ sentAt, endedAt, delivered, keptMailingId, neverLeft },
  };
};
