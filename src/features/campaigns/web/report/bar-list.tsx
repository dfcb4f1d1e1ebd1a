import type { ReactNode } from 'react';
import { formatNumber, formatShare } from '#platform/web/format.ts';
import classes from './report.module.css';

export interface BarItem {
  key: string;
  label: string;
  /** Stands before the label. */
  mark?: ReactNode;
  people: number;
}

interface BarListProps {
  label: string;
  items: readonly BarItem[];
  /** How many people these are shares of. */
  all: number;
  /** How many people fill a bar. All, as a rule. */
  full?: number;
  tone?: 'light' | 'rest';
}

/** People by what they have in common: a bar, how many, and which share of all. */
export const BarList = ({ label, items, all, full = all, tone }: BarListProps) => (
  <ul className={classes.bars} aria-label={label} data-tone={tone}>
    {items.map(({ key, label, mark, people }) => (
      <li
        key={key}
        title={`${formatNumber(people)} of ${formatNumber(all)}`}
        data-marked={mark ? true : undefined}
      >
        {mark}
        <span>{label}</span>
        <span className={classes.track} aria-hidden>
          <span data-kind={key} style={{ width: `${(100 * people) / full}%` }} />
        </span>
        <span className={classes.amount}>{formatNumber(people)}</span>
        <span className={classes.part}>{formatShare(people, all)}</span>
      </li>
    ))}
  </ul>
);
