import type { Tree } from '#features/audience/rules/tree.ts';
import { selectCounts } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { FieldChangePreview, WhatChanges } from '../contract.ts';
import { countReached, sampleReached } from './contact-queries.ts';
import type { FieldChangesContext } from './context.ts';
import { type Asked, readAsked } from './set-fields.ts';

/** At most this many contacts are looked at one by one. If there are more, a sample is. */
const fewToCount = 50_000;

/** How many contacts the change would reach. Takes about as long for millions as for thousands. */
export function previewSet(
  { db, audience }: Pick<FieldChangesContext, 'db' | 'audience'>,
  workspaceId: number,
  asked: Asked,
): Promise<FieldChangePreview> {
  const { tree, what } = readAsked(audience, asked);
  return db.asTenant(workspaceId, async (tx) => {
    const page = { sort: 'createdAt', order: 'desc', offset: 0, limit: 1 } as const;
    const { total, isEstimate } = await audience.page(tx, workspaceId, tree, page);
    if (isEstimate || total > fewToCount)
      return estimate({ tx, workspaceId, audience }, tree, { total, isEstimate }, what);
    const counted = await countReached(tx, workspaceId, await audience.ids(tx, workspaceId, tree), what);
    return { ...counted, contactsIsEstimate: false, filledIsEstimate: false };
  });
}

interface Place extends Pick<FieldChangesContext, 'audience'> {
  tx: TenantTx;
  workspaceId: number;
}

/** The shares of a sample, scaled up to all that are chosen. */
async function estimate(
  { tx, workspaceId, audience }: Place,
  tree: Tree,
  { total, isEstimate }: { total: number; isEstimate: boolean },
  what: WhatChanges,
): Promise<FieldChangePreview> {
  const { total: all } = await selectCounts(tx, workspaceId);
  const chosen = await audience.conditionForWalk(tx, workspaceId, tree);
  const sample = await sampleReached(tx, workspaceId, { all, chosen }, what);
  const scaled = (found: number) => Math.min(roughly((total * found) / Math.max(sample.chosen, 1)), total);
  return {
    contacts: what.splitNames ? scaled(sample.contacts) : total,
    contactsIsEstimate: isEstimate || what.splitNames === true,
    filled: scaled(sample.filled),
    filledIsEstimate: what.splitNames === undefined,
  };
}

/** A sample of some thousands is good for two figures: 1,234,567 is about 1,200,000. */
const roughly = (value: number): number => Number(Math.round(value).toPrecision(2));
