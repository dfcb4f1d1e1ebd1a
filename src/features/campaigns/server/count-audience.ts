import type { Leaf, Tree } from '#features/audience/rules/tree.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import type { CampaignAudience, countAudience as endpoint } from '../contract.ts';
import { treeOfAudience } from '../rules/audience.ts';
import type { CampaignsContext } from './context.ts';

/** How many people an audience means now, and how many may not be mailed. */
export async function countAudience(
  { audience }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  chosen: CampaignAudience,
): Promise<ResponseOf<typeof endpoint>> {
  const tree = treeOfAudience(chosen);
  const count = (status: string) =>
    audience.count(tx, workspaceId, and(tree, { condition: 'status', value: status }));
  const recipients = await count('active');
  const suppressed = await count('suppressed');
  const invalid = await count('invalid');
  return {
    recipients,
    leftOut: { ...(suppressed > 0 ? { suppressed } : {}), ...(invalid > 0 ? { invalid } : {}) },
  };
}

const and = (tree: Tree, leaf: Leaf): Tree => ({
  version: 1,
  all: 'all' in tree ? [...tree.all, leaf] : [tree as never, leaf],
});
