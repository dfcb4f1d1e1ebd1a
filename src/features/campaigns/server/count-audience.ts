import type { Leaf, Tree } from '#features/audience/rules/tree.ts';
import { readMailable } from '#features/basis/server/index.ts';
import { type Basis, bases } from '#features/contacts/contract.ts';
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
  const count = (status: string, ...more: Leaf[]) =>
    audience.count(tx, workspaceId, and(tree, { condition: 'status', value: status }, ...more));
  const active = await count('active');
  const suppressed = await count('suppressed');
  const invalid = await count('invalid');
  const withBasis = (some: readonly Basis[]) =>
    some.length === 0 ? 0 : count('active', { condition: 'basis', value: some });
  // Most contacts may be unknown, and those are the slow ones to count.
  const mailable = await readMailable(tx, workspaceId);
  const others = bases.filter((basis) => !mailable.includes(basis));
  const noBasis = mailable.includes('unknown')
    ? await withBasis(others)
    : active - (await withBasis(mailable));
  return {
    recipients: active - noBasis,
    leftOut: {
      ...(suppressed > 0 ? { suppressed } : {}),
      ...(invalid > 0 ? { invalid } : {}),
      ...(noBasis > 0 ? { no_basis: noBasis } : {}),
    },
  };
}

const and = (tree: Tree, ...leaves: Leaf[]): Tree => ({
  version: 1,
  all: 'all' in tree ? [...tree.all, ...leaves] : [tree as never, ...leaves],
});
