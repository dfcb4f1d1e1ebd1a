import { readMailable } from '#features/basis/server/index.ts';
import { readCap } from '#features/pace/server/index.ts';
import { countReasons } from '#features/suppressions/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { CampaignAudience, CampaignCheck } from '../../contract.ts';
import { audienceTree } from '../audience/audience-tree.ts';
import type { CampaignsContext } from '../context.ts';

/** What there is to say about why contacts of an audience are left out. */
export async function leftOutBecause(
  { audience }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  { chosen, suppressed }: { chosen: CampaignAudience; suppressed: number },
): Promise<CampaignCheck['leftOutBecause']> {
  return {
    suppressed:
      suppressed === 0
        ? null
        : await countReasons(audience, tx, workspaceId, {
            ...{ tree: await audienceTree({ audience }, tx, workspaceId, chosen), suppressed },
          }),
    mailable: await readMailable(tx, workspaceId),
    frequencyCap: await readCap(tx, workspaceId),
  };
}
