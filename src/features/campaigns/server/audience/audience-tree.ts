import { selectionWith } from '#features/audience/contract.ts';
import type { Tree } from '#features/audience/rules/tree.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { campaignOf } from '../../contract/audience-part.ts';
import type { CampaignAudience } from '../../contract.ts';
import { type FilterTree, type NeededByCampaign, neededLists, treeOfAudience } from '../../rules/audience.ts';
import type { CampaignsContext } from '../context.ts';
import { selectListsOf, selectSent } from '../queries.ts';

/**
 * Whom an audience means. Throws `invalid_input` for a filter that is not understood and for a
 * campaign that was not sent: left out, it would mean more people, or none without anybody
 * noticing.
 */
export async function audienceTree(
  { audience }: Pick<CampaignsContext, 'audience'>,
  tx: TenantTx,
  workspaceId: number,
  chosen: CampaignAudience,
): Promise<Tree> {
  const named = [...chosen.include, ...chosen.exclude].flatMap((part) => campaignOf(part)?.id ?? []);
  if (named.length > 0) {
    const sent = new Set(await selectSent(tx, workspaceId, named));
    if (named.some((id) => !sent.has(id)))
      throw refused('The audience names a campaign that was not sent. Choose another.');
  }
  const selection = selectionWith(audience.filters);
  const treeOfFilter: FilterTree = (filter) => {
    if (Object.keys(filter).length === 0) throw refused('A filter has to ask for something.');
    const { data } = selection.safeParse({ filter });
    if (!data) throw refused('The audience has a filter that is not understood.');
    return audience.of(data);
  };
  return treeOfAudience(chosen, treeOfFilter, await followedLists(tx, workspaceId, chosen));
}

/** The lists of the campaigns that an audience follows up, where they went to lists alone. */
export async function followedLists(
  tx: TenantTx,
  workspaceId: number,
  { include }: CampaignAudience,
): Promise<NeededByCampaign> {
  const ids = include.flatMap((part) => campaignOf(part)?.id ?? []);
  return ids.length === 0 ? new Map() : selectListsOf(tx, workspaceId, ids);
}

/**
 * Sets of lists: nobody is in an audience without being on one list of each set. Whoever leaves the
 * last of one before their message leaves does not get it.
 */
export async function listsNeededBy(
  { audience }: Pick<CampaignsContext, 'audience'>,
  tx: TenantTx,
  workspaceId: number,
  { tree, chosen }: { tree: Tree; chosen: CampaignAudience },
): Promise<number[][]> {
  const expanded = await audience.expanded(tx, workspaceId, tree);
  return neededLists(expanded, await followedLists(tx, workspaceId, chosen));
}

const refused = (message: string) =>
  new AppError('invalid_input', message, { fields: { audience: message } });
