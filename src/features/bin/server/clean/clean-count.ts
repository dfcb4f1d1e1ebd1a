import type { TenantTx } from '#platform/server/database.ts';
import { type CleanPlan, planByDomains } from './clean-plan.ts';
import type { ValidationSettings } from './judge.ts';

/** Some ids of invalid contacts are kept, to show their addresses. */
export const keptSamples = 5;

/** What a clean would remove, counted. Reads every contact. */
export async function planClean(
  tx: TenantTx,
  workspaceId: number,
  settings: ValidationSettings,
): Promise<CleanPlan> {
  const plan = await planByDomains(tx, workspaceId, settings);
  await countContacts(tx, workspaceId, plan);
  return plan;
}

/** Counts what the domains do not say. */
export async function countContacts(tx: TenantTx, workspaceId: number, plan: CleanPlan): Promise<void> {
  const { judge, letIn } = plan;
  await judge.everyUnsound(tx, ({ id, domain, importId }) => {
    if (plan.invalidSamples.length < keptSamples) plan.invalidSamples.push(id);
    plan.add('invalid', domain, 1);
    if (!plan.isForeign(domain)) return;
    plan.add('nonUk', domain, -1);
    letIn.leaveOut(domain, importId);
  });
  if (plan.foreign > 0) await letIn.count(tx, workspaceId, (domain) => plan.isForeign(domain));
}
