import { Progress } from '@mantine/core';
import { IconAlertCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { formatDuration, formatNumber } from '../format.ts';
import type { Task } from '../tasks.ts';
import { TextButton } from './links.tsx';
import classes from './task-progress.module.css';

/** A task's progress in percent. Undefined while it is unknown. */
export function percentOf({
  done,
  total,
  share,
}: Pick<Task, 'done' | 'total' | 'share'>): number | undefined {
  if (share !== undefined) return Math.min(share * 100, 100);
  return done === undefined || !total ? undefined : Math.min((done / total) * 100, 100);
}

/** The ring, tick or mark that stands for a task. */
export function TaskMark({ task, size = 16 }: { task: Task; size?: number }) {
  if (task.state === 'done')
    return <IconCircleCheckFilled size={size} className={classes.done} aria-hidden />;
  if (task.state === 'failed') return <IconAlertCircle size={size} className={classes.failed} aria-hidden />;
  // The circumference is 100 units, so that percentages are the lengths of its dashes.
  const ring = { cx: 18, cy: 18, r: 15.915, fill: 'none', strokeWidth: 5 };
  return (
    <svg width={size} height={size} viewBox="0 0 36 36" className={classes.ring} aria-hidden>
      <circle {...ring} stroke="var(--ui-control-line)" />
      <circle {...ring} stroke="var(--ui-chart-1)" strokeDasharray={`${percentOf(task) ?? 25} 100`} />
    </svg>
  );
}

/** Long work: what it is, how far, how fast, and how long it will still take. */
export function TaskProgress({ task }: { task: Task }) {
  const { label, done, total, rate, secondsLeft, state, note, cancel } = task;
  const percent = percentOf(task);
  return (
    <div className={classes.task}>
      <div className={classes.line}>
        <span className={classes.label}>
          <TaskMark task={task} />
          <span className={classes.name}>
            {state === 'running' ? label : (task.endedTitle ?? task.endedLabel ?? label)}
          </span>
        </span>
        {done !== undefined && state === 'running' && (
          <span className={classes.dim}>
            {formatNumber(done)}
            {total ? ` of ${formatNumber(total)}` : ''}
          </span>
        )}
      </div>
      {state === 'running' && (
        <>
          <Progress
            value={percent ?? 100}
            animated={percent === undefined}
            size={4}
            aria-label={label}
            radius="sm"
          />
          <div className={classes.line}>
            <span className={classes.dim}>
              {[
                rate !== undefined && `${formatNumber(rate)} a second`,
                secondsLeft !== undefined && `${formatDuration(Math.max(secondsLeft, 1) * 1000)} left`,
              ]
                .filter(Boolean)
                .join(' · ') || note}
            </span>
            {cancel && <TextButton onClick={cancel}>Cancel</TextButton>}
          </div>
        </>
      )}
      {state !== 'running' && note && <div className={classes.note}>{note}</div>}
    </div>
  );
}
