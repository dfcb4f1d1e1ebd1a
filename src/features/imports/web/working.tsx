import { Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatBytes, formatDuration, formatNumber } from '#platform/web/format.ts';
import { barPercent, type ImportWatch } from './import-watch.ts';
import { phaseWords } from './import-words.ts';
import classes from './working.module.css';

interface BarProps {
  /** Describes the current work. */
  label: string;
  percent: number;
  /** Under the bar, at left and right. */
  left?: ReactNode;
  right?: ReactNode;
}

function Bar({ label, percent, left, right }: BarProps) {
  return (
    <div className={classes.bar}>
      <div className={classes.line}>
        <span className={classes.label} aria-live="polite">
          {label}
        </span>
        <span className={classes.percent}>{Math.floor(percent)}%</span>
      </div>
      <Progress value={percent} size={8} radius="sm" transitionDuration={150} aria-label={label} />
      <div className={classes.line}>
        <span className={classes.dim}>{left}</span>
        <span className={classes.dim}>{right}</span>
      </div>
    </div>
  );
}

interface PartProps {
  /** This step's part of the whole bar: uploading and importing share one bar in the dialog. */
  from?: number;
  to?: number;
}

/** A file on its way to the server. */
export function SendingBar({ sent, total, from = 0, to = 1 }: { sent: number; total: number } & PartProps) {
  const share = total === 0 ? 0 : sent / total;
  return (
    <Bar
      label={share >= 1 ? 'The server is taking the file in' : 'Uploading'}
      percent={(from + share * (to - from)) * 100}
      left={`${formatBytes(sent)} of ${formatBytes(total)}`}
    />
  );
}

interface WorkingBarProps extends PartProps {
  watch: ImportWatch | undefined;
  /** Known once the file has been checked. */
  totalRows?: number;
}

/** A running import on the server: how far, how many rows, how fast. */
export function WorkingBar({ watch, totalRows, from = 0, to = 1 }: WorkingBarProps) {
  const progress = watch?.progress ?? null;
  const answered = watch?.outcome !== null && watch?.outcome !== undefined;
  const label = answered
    ? 'Done'
    : watch?.lost
      ? 'The server does not answer. Trying again'
      : phaseWords(progress);
  return (
    <Bar
      label={label}
      percent={barPercent(from + (progress?.share ?? 0) * (to - from), answered)}
      left={progress && rowsOf(progress.rows, totalRows)}
      right={paceOf(watch)}
    />
  );
}

const rowsOf = (rows: number, total: number | undefined): string =>
  `${formatNumber(rows)}${total === undefined ? '' : ` of ${formatNumber(total)}`} rows`;

/** "155,194 rows a second, 19 s left". */
function paceOf(watch: ImportWatch | undefined): string {
  const rate = watch?.progress?.rowsPerSecond ?? 0;
  if (rate === 0) return '';
  const left = watch?.secondsLeft;
  const ending = left === undefined ? '' : `, ${formatDuration(Math.max(left, 1) * 1000)} left`;
  return `${formatNumber(rate)} rows a second${ending}`;
}
