import { formatNumber } from '../format.ts';
import { sparklinePath } from '../sparkline-path.ts';
import classes from './stat-strip.module.css';

/** A figure on one day. */
export interface TrendPoint {
  /** "22 Nov". */
  day: string;
  value: number;
}

interface SparklineProps {
  points: readonly TrendPoint[];
  /** The accent colour with a tint below. Otherwise grey. */
  accent?: boolean;
}

const width = 100;

/**
 * A line to the edges of its box, with each day's figure for people who point at it. Dashed where
 * there was nothing on any day. For screen readers it is decoration, because the figure and its
 * change are beside it.
 */
export function Sparkline({ points, accent = false }: SparklineProps) {
  const line = sparklinePath(
    points.map(({ value }) => value),
    width,
    28,
  );
  if (line === '') return null;
  const isNothing = points.every(({ value }) => value === 0);
  const step = width / points.length;
  return (
    <svg
      className={classes.sparkline}
      data-accent={(accent && !isNothing) || undefined}
      data-nothing={isNothing || undefined}
      viewBox={`0 0 ${width} 32`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {!isNothing && <path className={classes.area} d={`${line} L${width},32 L0,32 Z`} />}
      <path className={classes.line} d={line} vectorEffect="non-scaling-stroke" />
      {points.map(({ day, value }, index) => (
        <rect key={day} className={classes.day} x={index * step} width={step} height={32}>
          <title>{`${day}: ${formatNumber(value)}`}</title>
        </rect>
      ))}
    </svg>
  );
}
