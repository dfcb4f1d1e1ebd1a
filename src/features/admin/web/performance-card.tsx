import { ActionIcon, Skeleton, Tooltip } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { getPerformance } from '../contract.ts';
import classes from './admin.module.css';
import { performanceLines } from './words.ts';

/** The product's own promises beside what was measured on this installation. */
export function PerformanceCard() {
  const query = useQuery(queryOptionsFor(getPerformance));
  if (query.error && !query.data) {
    return (
      <Card title="Performance">
        <ErrorState
          title="The measurements could not be loaded"
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      </Card>
    );
  }
  return (
    <Card title="Performance" hint="Measured here, beside the target">
      {query.data ? (
        <ul className={classes.measures}>
          {performanceLines(query.data).map(({ label, measured, target, met, basis, how }) => (
            <li key={label}>
              <div className={classes.measureName}>
                {label}
                <Tooltip label={how} multiline w={300} events={{ hover: true, focus: true, touch: true }}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={24}
                    aria-label={`How it is measured: ${label}`}
                  >
                    <IconInfoCircle size={14} stroke={1.6} />
                  </ActionIcon>
                </Tooltip>
              </div>
              <div className={classes.measured}>
                <span className={classes.figure}>{measured}</span>
                <span className={classes.hint}>target {target}</span>
                {met !== null && (
                  <StatusBadge status={met ? 'completed' : 'pending'} label={met ? 'Met' : 'Missed'} />
                )}
              </div>
              <div className={classes.hint}>{basis}</div>
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton height={150} />
      )}
    </Card>
  );
}
