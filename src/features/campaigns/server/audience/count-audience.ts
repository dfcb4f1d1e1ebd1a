import type { Leaf } from '#features/audience/rules/tree.ts';
import { readMailable } from '#features/basis/server/index.ts';
import { type Basis, bases } from '#features/contacts/contract.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import type { CampaignAudience, countAudience as endpoint } from '../../contract.ts';
import { and } from '../../rules/audience.ts';
import type { CampaignsContext } from '../context.ts';
import { audienceTree } from './audience-tree.ts';

type Counted = ResponseOf<typeof endpoint>;

/** How many people an audience means now, and how many may not be mailed. */
export const countAudience = async (
  context: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  chosen: CampaignAudience,
): Promise<Counted> => (await countWithBasis(context, tx, workspaceId, chosen)).counted;

/** The same, and how many of those who get it have a marketing basis that nobody has said. */
export async function countWithBasis(
  { audience, sending }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  chosen: CampaignAudience,
): Promise<{ counted: Counted; unknown: number }> {
  const tree = await audienceTree({ audience }, tx, workspaceId, chosen);
  const count = (status: string, ...more: Leaf[]) =>
    audience.count(tx, workspaceId, and(tree, { condition: 'status', value: status }, ...more));
  const active = await count('active');
  const suppressed = await count('suppressed');
  const invalid = await count('invalid');
  const duplicate = await count('duplicate');
  const withBasis = (some: readonly Basis[]) =>
    some.length === 0 ? 0 : count('active', { condition: 'basis', value: some });
  // Most contacts may be unknown, and those are the slow ones to count. So the others are.
  const named = bases.filter((basis) => basis !== 'unknown');
  const mailable = await readMailable(tx, workspaceId);
  const mailed = await withBasis(named.filter((basis) => mailable.includes(basis)));
  const notMailed = await withBasis(named.filter((basis) => !mailable.includes(basis)));
  const unknown = active - mailed - notMailed;
  const noBasis = notMailed + (mailable.includes('unknown') ? 0 : unknown);
  const rested = await sending.countRested(tx, workspaceId, {
    ...{ mailable, days: chosen.notMailedDays ?? null },
    matching: await audience.conditionForCopy(tx, workspaceId, tree),
  });
  const counted = {
    recipients: active - noBasis - rested.paused - rested.mailed_lately - rested.over_cap,
    leftOut: {
      ...(suppressed > 0 ? { suppressed } : {}),
      ...(invalid > 0 ? { invalid } : {}),
      ...(duplicate > 0 ? { duplicate } : {}),
      ...(noBasis > 0 ? { no_basis: noBasis } : {}),
      ...(rested.paused > 0 ? { paused: rested.paused } : {}),
      ...(rested.mailed_lately > 0 ? { mailed_lately: rested.mailed_lately } : {}),
      ...(rested.over_cap > 0 ? { over_cap: rested.over_cap } : {}),
    },
  };
  return { counted, unknown: mailable.includes('unknown') ? unknown : 0 };
}
