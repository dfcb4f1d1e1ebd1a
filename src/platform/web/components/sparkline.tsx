import { sparklinePath } from '../sparkline-path.ts';
import classes from './stat-strip.module.css';

interface SparklineProps {
  values: readonly number[];
  /** The accent colour with a tint below. Otherwise grey. */
  accent?: boolean;
}

/** A line to the edges of its box. It is decoration, because the figure is beside it. */
export function Sparkline({ values, accent = false }: SparklineProps) {
  const line = sparklinePath(values, 100, 28);
  if (line === '') return null;
  return (
    <svg
      className={classes.sparkline}
      data-accent={accent || undefined}
      viewBox="0 0 100 32"
      preserveAspectRatio="none"
      aria-hidden
    >
      <path className={classes.area} d={`${line} L100,32 L0,32 Z`} />
      <path className={classes.line} d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
