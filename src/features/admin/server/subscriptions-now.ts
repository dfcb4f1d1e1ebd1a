import type { Subscriptions } from '../contract.ts';
import { measuredDays, subscriptionFigures } from '../rules.ts';
import type { AdminOptions } from './admin-options.ts';
import { selectTimes } from './queries.ts';
import { planCounts } from './users.ts';

export async function subscriptionsNow({ db, planPrices }: AdminOptions): Promise<Subscriptions> {
  const { monthStart } = await selectTimes(db.system, measuredDays);
  const plans = await planCounts(db.system, monthStart);
  return subscriptionFigures(plans.map((plan) => ({ ...plan, monthlyPrice: planPrices[plan.planId] ?? 0 })));
}
