import { Tooltip } from '@mantine/core';
import { formatNumber, formatShare } from '../format.ts';
import classes from './fate-bar.module.css';
import { TextLink } from './links.tsx';

/** What happened to the rows of a file. The five counts add up to the number of rows. */
export interface FateCounts {
  imported: number;
  duplicates: number;
  invalid: number;
  nonUk: number;
  suppressed: number;
}

/** The five fates in their fixed order, with their words and colours. */
export const fates = [
  { key: 'imported', label: 'Imported', one: 'Imported', colour: 'var(--ui-fate-imported)' },
  { key: 'duplicates', label: 'Duplicates', one: 'Duplicate', colour: 'var(--ui-fate-duplicate)' },
  { key: 'invalid', label: 'Invalid', one: 'Invalid', colour: 'var(--ui-fate-invalid)' },
  { key: 'nonUk', label: 'Non-UK', one: 'Non-UK', colour: 'var(--ui-fate-non-uk)' },
  { key: 'suppressed', label: 'Suppressed', one: 'Suppressed', colour: 'var(--ui-fate-suppressed)' },
] as const satisfies readonly { key: keyof FateCounts; label: string; one: string; colour: string }[];

export interface Segment {
  key: string;
  label: string;
  /** A CSS colour, normally one of the `--ui-…` variables. */
  colour: string;
  value: number;
  /** A few dim words about it, in a `list`: "603 unsubscribed, 188 bounced". */
  hint?: string | undefined;
  /** Where its figure leads: the list of what it counts. */
  leads?: { to: string; search: Record<string, unknown> };
}

interface SegmentBarProps {
  segments: readonly Segment[];
  /** For screen readers: "What became of 248,310 rows". The figures are added automatically. */
  label: string;
  /** 8, 12 or 22 px. */
  height?: number;
  /**
   * - `columns`: one column each, figures below the words.
   * - `inline`: in one line, figures beside the words.
   * - `list`: one row each, figures at the right.
   * - `none`: the bar alone; its figures are in the tooltips and in the label.
   */
  legend?: 'columns' | 'inline' | 'list' | 'none';
  /** False leaves out the percentages where space is short. */
  withShares?: boolean;
  /** Larger figures, for a result. */
  large?: boolean;
}

/**
 * Parts of a whole: a bar with 2-px gaps and a legend with the figures, so that colour is never the
 * only clue.
 */
export function SegmentBar(props: SegmentBarProps) {
  const { segments, label, height = 12, legend = 'columns', withShares = true, large = false } = props;
  const total = segments.reduce((sum, { value }) => sum + value, 0);
  const withHints = segments.some(({ hint }) => hint !== undefined);
  const figures = segments.map(({ label: name, value }) => `${name} ${formatNumber(value)}`).join(', ');
  return (
    <div className={classes.root}>
      <div className={classes.bar} style={{ height }} role="img" aria-label={`${label}: ${figures}`}>
        {segments
          .filter(({ value }) => value > 0)
          .map(({ key, label: name, colour, value }) => (
            <Tooltip key={key} label={`${name} ${formatNumber(value)}, ${formatShare(value, total)}`}>
              <span className={classes.segment} style={{ flexGrow: value, backgroundColor: colour }} />
            </Tooltip>
          ))}
      </div>
      {legend !== 'none' && (
        <ul
          className={classes.legend}
          data-form={legend}
          data-hints={withHints || undefined}
          data-large={large || undefined}
        >
          {segments.map(({ key, label: name, colour, value, hint, leads }) => (
            <li key={key}>
              <FateDot colour={colour} />
              <span className={classes.name}>{name}</span>
              {legend === 'list' && withHints && <span className={classes.hint}>{hint}</span>}
              <span className={classes.figure}>
                <span className={classes.value}>
                  {leads && value > 0 ? (
                    <TextLink {...leads} label={`${name} ${formatNumber(value)}`}>
                      {formatNumber(value)}
                    </TextLink>
                  ) : (
                    formatNumber(value)
                  )}
                </span>
                {withShares && <span className={classes.share}>{formatShare(value, total)}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface FateBarProps extends Omit<SegmentBarProps, 'segments' | 'label'> {
  counts: FateCounts;
  label?: string;
  /** The bar alone, 8 high, for a table row. */
  compact?: boolean;
}

/** The fate bar: the same five colours in the same order for every import and clean. */
export function FateBar({ counts, label, compact = false, ...rest }: FateBarProps) {
  const segments = fates.map((fate) => ({ ...fate, value: counts[fate.key] }));
  const rows = segments.reduce((sum, { value }) => sum + value, 0);
  return (
    <SegmentBar
      segments={segments}
      label={label ?? `What became of ${formatNumber(rows)} rows`}
      {...(compact ? { height: 8, legend: 'none' as const } : {})}
      {...rest}
    />
  );
}

/** The small square that stands for a fate or class in a legend or a table cell. */
export function FateDot({ colour }: { colour: string }) {
  return <span className={classes.dot} style={{ backgroundColor: colour }} aria-hidden />;
}

/** A fate in words with its square, for the rows of a receipt: "Duplicate of line 2". */
export function FateText({ fate, children }: { fate: keyof FateCounts; children?: string }) {
  const found = fates.find(({ key }) => key === fate) ?? fates[0];
  return (
    <span className={classes.text}>
      <FateDot colour={found.colour} />
      <span className={classes.words}>{children ?? found.one}</span>
    </span>
  );
}
