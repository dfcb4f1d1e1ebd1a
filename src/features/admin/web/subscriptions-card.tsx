import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { SegmentBar } from '#platform/web/components/fate-bar.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { capitalise, formatChange, formatCount, formatNumber, formatPounds } from '#platform/web/format.ts';
import { getSubscriptions } from '../contract.ts';
import classes from './admin.module.css';

const colours = ['rest', '1', '2', '3', '4', '5'].map((name) => `var(--ui-chart-${name})`);

/** Who pays, and which plans there are. */
export function SubscriptionsCard() {
  const query = useQuery(queryOptionsFor(getSubscriptions));
  const found = query.data;
  if (query.error && !found) {
    return (
      <Card title="Subscriptions">
        <ErrorState
          title="The subscriptions could not be loaded"
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      </Card>
    );
  }
  const figures = [
    {
      label: 'Active subscriptions',
      value: found && formatNumber(found.activeSubscriptions),
      change: found?.subscriptionGrowth,
    },
    {
      label: 'Monthly revenue',
      value: found && formatPounds(found.monthlyRevenue),
      change: found?.revenueGrowth,
    },
  ];
  return (
    <Card title="Subscriptions">
      <div className={classes.pair}>
        {figures.map(({ label, value, change }) => (
          <div key={label}>
            <div className={classes.figureLabel}>{label}</div>
            <div className={classes.figure}>{value ?? <Skeleton height={18} width={90} />}</div>
            <div className={classes.hint}>
              {change !== undefined && `${formatChange(change, '%')} this month`}
            </div>
          </div>
        ))}
      </div>
      <h3 className={classes.subtitle}>Plan distribution</h3>
      {found ? (
        <>
          <SegmentBar
            label="Users by plan"
            legend="none"
            segments={found.planDistribution.map(({ planId, userCount }, at) => ({
              key: planId,
              label: capitalise(planId),
              colour: colours[at % colours.length] as string,
              value: userCount,
            }))}
          />
          <ul className={classes.plans}>
            {found.planDistribution.map(({ planId, userCount, monthlyValue }, at) => (
              <li key={planId}>
                <span className={classes.dot} style={{ backgroundColor: colours[at % colours.length] }} />
                <span className={classes.planName}>{capitalise(planId)}</span>
                <span className="tabular">{formatCount(userCount, 'user')}</span>
                <span className={`tabular ${classes.money}`}>{formatPounds(monthlyValue)} a month</span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <Skeleton height={12} />
      )}
    </Card>
  );
}
