import { selectCounts } from '#features/rollups/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { countContacts, keptSamples } from './clean-count.ts';
import { type CleanPlan, planByDomains } from './clean-plan.ts';
import { sampleValid } from './clean-queries.ts';
import type { ValidationSettings } from './judge.ts';
import { partBySize } from './let-in.ts';

/** If a workspace has at most this many contacts, all are looked at. Otherwise, a sample is. */
const fewToCount = 200_000;
/** Imports with a choice of their own are counted as long as they have no more ids together. */
const fewToCountOfImports = 200_000;

/**
 * What a clean would remove, in a time that somebody waits for, however many contacts there are.
 */
export async function estimateClean(
  tx: TenantTx,
  workspaceId: number,
  settings: ValidationSettings,
): Promise<CleanPlan> {
  const { total } = await selectCounts(tx, workspaceId);
  const plan = await planByDomains(tx, workspaceId, settings);
  if (total <= fewToCount) await countContacts(tx, workspaceId, plan);
  else await estimateContacts(tx, workspaceId, plan, total);
  return plan;
}

/** Counts the contacts of small imports with a choice, and takes the rest from a sample. */
async function estimateContacts(
  tx: TenantTx,
  workspaceId: number,
  plan: CleanPlan,
  all: number,
): Promise<void> {
  const { judge, letIn } = plan;
  const isForeign = (domain: string) => plan.isForeign(domain);
  const { small, rest } = partBySize(letIn.imports, plan.foreign > 0 ? fewToCountOfImports : 0);
  const isAnyLetIn = plan.foreign > 0 && rest.length > 0;
  if (judge.isStrict || isAnyLetIn) {
    const tally = await tallySample(tx, workspaceId, plan, {
      all,
      sampled: new Set(rest.map(({ id }) => id)),
    });
    if (judge.isStrict) addUnsound(plan, tally);
    if (isAnyLetIn) addLetIn(plan, tally);
  }
  if (plan.foreign > 0) await letIn.countSmall(tx, workspaceId, small, isForeign);
}

/** What there is in a sample. */
interface Tally {
  valid: number;
  unsound: number;
  foreign: number;
  unsoundForeign: number;
  letIn: number;
  /** The foreign ones by domain. */
  byDomain: Map<string, { seen: number; letIn: number }>;
}

async function tallySample(
  tx: TenantTx,
  workspaceId: number,
  plan: CleanPlan,
  { all, sampled }: { all: number; sampled: ReadonlySet<number> },
): Promise<Tally> {
  const { judge, letIn, invalidSamples } = plan;
  const tally: Tally = { valid: 0, unsound: 0, foreign: 0, unsoundForeign: 0, letIn: 0, byDomain: new Map() };
  for (const { id, local, domain, importId } of await sampleValid(tx, workspaceId, all)) {
    if (judge.invalidDomains.has(domain)) continue;
    tally.valid++;
    const isUnsound = local !== null && judge.isUnsound({ local, domain });
    const isForeign = plan.isForeign(domain);
    if (isUnsound) tally.unsound++;
    if (isUnsound && invalidSamples.length < keptSamples) invalidSamples.push(id);
    if (!isForeign) continue;
    tally.foreign++;
    const ofDomain = tally.byDomain.get(domain) ?? { seen: 0, letIn: 0 };
    tally.byDomain.set(domain, ofDomain);
    ofDomain.seen++;
    if (isUnsound) tally.unsoundForeign++;
    else if (importId !== null && sampled.has(importId) && letIn.keeps(domain, importId)) {
      tally.letIn++;
      ofDomain.letIn++;
    }
  }
  return tally;
}

const scaled = (all: number, part: number, whole: number): number =>
  Math.round((all * part) / Math.max(whole, 1));

/** Those invalid by their address alone. Foreign ones among them go as invalid. */
function addUnsound(plan: CleanPlan, { valid, unsound, foreign, unsoundForeign }: Tally): void {
  plan.addEstimate('invalid', scaled(plan.valid, unsound, valid));
  if (unsoundForeign > 0) plan.addEstimate('nonUk', -scaled(plan.foreign, unsoundForeign, foreign));
}

/**
 * Those whom large imports let in. A domain's own share is for the list of the largest; the sum
 * comes from all of them together, because most domains are in no sample.
 */
function addLetIn(plan: CleanPlan, { foreign, letIn, byDomain }: Tally): void {
  for (const [domain, { seen, letIn: kept }] of byDomain) {
    const ofDomain = plan.byDomain.nonUk.get(domain) ?? 0;
    if (kept > 0) plan.letIn.byDomain.set(domain, scaled(ofDomain, kept, seen));
  }
  plan.letIn.contacts += scaled(plan.foreign, letIn, foreign);
  plan.estimateLetIn();
}
