import type { Role } from '#platform/shared/contract.ts';
import { useMay } from '#platform/web/current-user.ts';
import type { CampaignStatus } from '../rules/campaign.ts';
import { roleToChange, scheduledNeedsSender } from '../rules/changing.ts';

interface MayChange {
  mayChange: boolean;
  /** The role that it takes. */
  takes: Role;
  /** Why somebody without that role may not. */
  why: string;
}

/** Whether the signed-in person may change a campaign that stands like this. */
export function useMayChange(status: CampaignStatus): MayChange {
  const takes = roleToChange(status);
  const why = takes === 'editor' ? 'Campaigns need the editor role.' : scheduledNeedsSender;
  return { mayChange: useMay(takes), takes, why };
}
