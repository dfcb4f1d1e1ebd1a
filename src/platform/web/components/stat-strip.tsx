import { Skeleton } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import type { Icon } from '../feature.ts';
import type { Tone } from '../theme-colours.ts';
import { Sparkline } from './sparkline.tsx';
import classes from './stat-strip.module.css';
import { useLate } from './use-late.ts';

export interface Stat {
  label: string;
  icon: Icon;
  /** Colour of the icon. */
  tone: Tone;
  /** Already formatted; undefined while loading. */
  value: string | undefined;
  change?: {
    /** "+17.9%"; empty where only `since` says something. */
    text: string;
    /** "since last import". */
    since?: string;
    direction: 'up' | 'down' | 'flat';
    /** Only where up or down is plainly good or bad. */
    good?: boolean;
  };
  trend?: readonly number[];
  /** The line in the accent colour: for the one that matters most. */
  accent?: boolean;
}

interface StatStripProps {
  stats: readonly Stat[];
  label: string;
  /** Keeps no room for lines, where no figure has one. */
  plain?: boolean;
}

/** Four figures in one group: side by side, two by two on a phone. */
export function StatStrip({ stats, label, plain = false }: StatStripProps) {
  const loading = useLate(stats.some(({ value }) => value === undefined));
  return (
    <section className={classes.strip} data-plain={plain || undefined} aria-label={label}>
      {stats.map((stat) => (
        <div key={stat.label} className={classes.cell}>
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
              {stat.trend && <Sparkline values={stat.trend} accent={stat.accent ?? false} />}
            </div>
          )}
        </div>
      ))}
    </section>
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
