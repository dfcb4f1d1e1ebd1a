import { Skeleton } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Icon } from '../feature.ts';
import type { Tone } from '../theme-colours.ts';
import { Sparkline, type TrendPoint } from './sparkline.tsx';
import classes from './stat-strip.module.css';
import { ErrorState } from './states.tsx';
import { useLate } from './use-late.ts';

export interface Stat {
  label: string;
  icon: Icon;
  /** Colour of the icon. */
  tone: Tone;
  /** Already formatted. Undefined while loading. */
  value: string | undefined;
  change?: {
    /** "+17.9%". Empty when only `since` has something to say. */
    text: string;
    /** "since last import". */
    since?: string;
    direction: 'up' | 'down' | 'flat';
    /** Only if up or down is clearly good or bad. */
    good?: boolean;
  };
  /** The figure day by day, oldest first. */
  trend?: readonly TrendPoint[];
  /** Draws the line in the accent colour, for the most important figure. */
  accent?: boolean;
  /** The list that the figure counts. */
  leadsTo?: { to: string; search?: Record<string, unknown> };
}

interface StatStripProps {
  stats: readonly Stat[];
  label: string;
  /** Why there are no figures. It is shown in their place until they are there. */
  error?: unknown;
  /** Reserves no room for lines when no figure has one. */
  plain?: boolean;
}

/** Four figures in one group: side by side, or two by two on a phone. */
export function StatStrip({ stats, label, error = null, plain = false }: StatStripProps) {
  const isWaiting = stats.length === 0 || stats.some(({ value }) => value === undefined);
  const loading = useLate(isWaiting);
  if (isWaiting && error !== null) {
    return (
      <section className={classes.failed} aria-label={label}>
        <ErrorState title="The figures could not be loaded" error={error} />
      </section>
    );
  }
  return (
    <section className={classes.strip} data-plain={plain || undefined} aria-label={label}>
      {stats.map((stat) => (
        <Cell key={stat.label} leadsTo={stat.leadsTo}>
          <div className={classes.label}>
            <stat.icon size={16} stroke={1.6} className={classes[stat.tone]} />
            {stat.label}
          </div>
          <div className={classes.value}>
            {stat.value ?? (loading && <Skeleton height={18} width={110} radius={5} mt={7} />)}
          </div>
          <Change change={stat.change} />
          {!plain && (
            <div className={classes.trend}>
              {stat.trend && <Sparkline points={stat.trend} accent={stat.accent ?? false} />}
            </div>
          )}
        </Cell>
      ))}
    </section>
  );
}

/** A figure with its list is a link as a whole. */
function Cell({ leadsTo, children }: { leadsTo: Stat['leadsTo']; children: ReactNode }) {
  if (!leadsTo) return <div className={classes.cell}>{children}</div>;
  return (
    <Link to={leadsTo.to} search={leadsTo.search ?? {}} className={classes.cell} data-leads>
      {children}
    </Link>
  );
}

function Change({ change }: { change: Stat['change'] }) {
  const Arrow = change?.direction === 'down' ? IconArrowDownRight : IconArrowUpRight;
  return (
    <div className={classes.change} data-good={change?.good}>
      {change && (
        <>
          {change.direction !== 'flat' && <Arrow size={12} stroke={2} aria-hidden />}
          {change.text !== '' && <span className={classes.changeText}>{change.text}</span>}
          {change.since && <span className={classes.since}>{change.since}</span>}
        </>
      )}
    </div>
  );
}
