import { asciiAddress } from '#features/messages/server/index.ts';
import { minutesOf } from '#features/pace/rules/grant.ts';
import { foretell, readPace } from '#features/pace/server/index.ts';
import type { MailingStanding } from '#features/sending/server/index.ts';
import { selectHoursOfWeek } from '#features/tracking/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { CampaignCheck } from '../../contract.ts';
import { bestHour } from '../../rules/best-hour.ts';
import type { CampaignsContext } from '../context.ts';
import type { CampaignRow } from '../queries.ts';
import { recentDays } from './recent-campaigns.ts';

interface About {
  row: CampaignRow;
  recipients: number;
  fromAddress: string;
  recent: readonly MailingStanding[];
}

/** How fast a campaign will leave, and when its readers did most with those before. */
export async function whenAndHowFast(
  { ownMailRate }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  { row, recipients, fromAddress, recent }: About,
): Promise<CampaignCheck['when']> {
  const now = new Date();
  const { quietHours } = await readPace(tx, workspaceId);
  const address = asciiAddress(fromAddress)?.address ?? fromAddress;
  const spread = row.spreadHours === null ? [] : [recipients / (row.spreadHours * 60)];
  const servers = await ownMailRate(tx, workspaceId);
  const rates = [...spread, ...(servers === null ? [] : [servers])].filter((rate) => rate > 0);
  const speed = row.byRecipientZone
    ? null
    : await foretell(tx, workspaceId, {
        fromDomain: address.slice(address.lastIndexOf('@') + 1).toLowerCase(),
        messages: recipients,
        from: row.sendAt !== null && row.sendAt > now ? row.sendAt : now,
        perMinute: rates.length === 0 ? null : Math.min(...rates),
      });
  const hours = await selectHoursOfWeek(tx, workspaceId, recent, recentDays);
  const best = bestHour(hours, now, (hour) => quietHours !== null && isQuiet(quietHours, hour));
  return { speed, quietHours, bestHour: best?.toISOString() ?? null };
}

/** Whether nothing leaves at the beginning of an hour. */
function isQuiet({ from, to }: NonNullable<CampaignCheck['when']['quietHours']>, hour: number): boolean {
  const [begin, end, at] = [minutesOf(from), minutesOf(to), hour * 60];
  return begin < end ? at >= begin && at < end : at >= begin || at < end;
}
