import type { Subscriptions } from './contract.ts';

/** The product's own promises: per cent right, seconds per import, per cent of the time. */
export const targets = { accuracy: 99.5, processingSeconds: 2.3, uptime: 99.9 } as const;

/** How many days back performance is measured. */
export const measuredDays = 30;

export interface PlanCount {
  planId: string;
  /** Pounds a month for one user. */
  monthlyPrice: number;
  users: number;
  /** At the start of the month. */
  usersThen: number;
}

/** Totals over the plans. A plan counts as a subscription when it costs something. */
export function subscriptionFigures(plans: readonly PlanCount[]): Subscriptions {
  const paid = plans.filter(({ monthlyPrice }) => monthlyPrice > 0);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const active = sum(paid.map(({ users }) => users));
  const revenue = sum(paid.map(({ users, monthlyPrice }) => users * monthlyPrice));
  return {
    activeSubscriptions: active,
    subscriptionGrowth: growth(active, sum(paid.map(({ usersThen }) => usersThen))),
    monthlyRevenue: inPence(revenue),
    revenueGrowth: growth(revenue, sum(paid.map(({ usersThen, monthlyPrice }) => usersThen * monthlyPrice))),
    planDistribution: plans.map(({ planId, users, monthlyPrice }) => ({
      planId,
      userCount: users,
      monthlyValue: inPence(users * monthlyPrice),
    })),
  };
}

/** Per cent with one decimal. Growth from zero is 100 per cent. */
export function growth(now: number, then: number): number {
  if (then === 0) return now === 0 ? 0 : 100;
  return Math.round(((now - then) / then) * 1000) / 10;
}

const inPence = (pounds: number): number => Math.round(pounds * 100) / 100;

/** Per cent with two decimals. Never 100 while anything is missing. */
export function percentOf(part: number, whole: number): number {
  if (whole <= 0) return 0;
  const rounded = Math.round((part / whole) * 10_000) / 100;
  return part < whole ? Math.min(rounded, 99.99) : Math.min(rounded, 100);
}

/** Mean seconds per import, and per 100,000 rows. Null when there is nothing to divide by. */
export function processingFigures({
  imports,
  rows,
  seconds,
}: {
  imports: number;
  rows: number;
  seconds: number;
}) {
  const rounded = (value: number) => Math.round(value * 100) / 100;
  return {
    seconds: imports === 0 ? null : rounded(seconds / imports),
    secondsPer100k: rows === 0 ? null : rounded((seconds / rows) * 100_000),
    imports,
    rows,
  };
}
