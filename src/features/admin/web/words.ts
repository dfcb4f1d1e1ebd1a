import {
  formatCount,
  formatDuration,
  formatNumber,
  formatPercent,
  formatShortDate,
} from '#platform/web/format.ts';
import type { AdminAction, AdminImport, AdminTask, Performance } from '../contract.ts';

const percent = (value: number): string => formatPercent(value / 100);
const seconds = (value: number): string => `${Number(value.toPrecision(3))}s`;

export interface PerformanceLine {
  label: string;
  measured: string;
  target: string;
  /** Null while there is nothing to compare. */
  met: boolean | null;
  /** What the measurement is based on. */
  basis: string;
  how: string;
}

/** The three promises as lines: measured, target, and the basis of the measurement. */
export function performanceLines({ accuracy, processing, uptime }: Performance): PerformanceLine[] {
  const { seconds: mean, secondsPer100k, targetSeconds } = processing;
  const since = uptime.since === null ? '' : ` since ${formatShortDate(uptime.since)}`;
  return [
    {
      label: 'Accuracy',
      measured: percent(accuracy.measured),
      target: percent(accuracy.target),
      met: accuracy.measured >= accuracy.target,
      basis: `${formatNumber(accuracy.right)} of ${formatNumber(accuracy.addresses)} labelled addresses`,
      how: 'The judge that verifies contacts is given addresses that people have labelled by hand. An address counts as right when the verdict and everything else that is labelled agree.',
    },
    {
      label: 'Processing',
      measured: mean === null ? 'Not measured yet' : seconds(mean),
      target: seconds(targetSeconds),
      met: mean === null ? null : mean <= targetSeconds,
      basis:
        mean === null
          ? 'No import in the last 30 days'
          : `mean of ${formatCount(processing.imports, 'import')}, ${formatCount(processing.rows, 'row')}` +
            (secondsPer100k === null || processing.rows < 100_000
              ? ''
              : `; ${seconds(secondsPer100k)} per 100,000 rows`),
      how: 'The time of each import completed in the last 30 days, from its begin to its end, in all workspaces. Large files take longer: the time for each 100,000 rows stands below.',
    },
    {
      label: 'Uptime',
      measured: uptime.measured === null ? 'Not measured yet' : percent(uptime.measured),
      target: percent(uptime.target),
      met: uptime.measured === null ? null : uptime.measured >= uptime.target,
      basis:
        uptime.measured === null
          ? 'Measuring begins with the first start'
          : uptime.downSeconds < 1
            ? `never down${since}`
            : `down for ${formatDuration(uptime.downSeconds * 1000)}${since}`,
      how: 'Every 15 seconds each process that answers people writes down that it is there and reaches its database. In the last 30 days, time that no process vouches for counts as down, also a restart or a machine that was switched off.',
    },
  ];
}

/** A cron expression in everyday words, if it is a simple one. */
export function scheduleWords(cron: string | null): string {
  if (cron === null) return 'When needed';
  if (cron === '* * * * *') return 'Every minute';
  const [minute, hour, ...rest] = cron.split(' ');
  if (rest.join(' ') !== '* * *' || !/^\d+$/.test(minute ?? '')) return cron;
  const two = (text = '') => text.padStart(2, '0');
  if (hour === '*') return `Every hour at :${two(minute)}`;
  return /^\d+$/.test(hour ?? '') ? `Daily at ${two(hour)}:${two(minute)}` : cron;
}

/** What else to know about a task besides its state: why it failed, or its progress. */
export function taskNote({ status, error, done, total, phase, cancelRequested }: AdminTask): string {
  if (status === 'failed') return error ?? 'It failed without a reason.';
  if (cancelRequested && (status === 'running' || status === 'waiting'))
    return 'Stops at its next checkpoint';
  if (status === 'waiting') return phase ?? '';
  if (status !== 'running') return '';
  const far = total === null ? formatNumber(done) : `${formatNumber(done)} of ${formatNumber(total)}`;
  return phase === null ? far : `${phase}: ${far}`;
}

/**
 * What else to know about an import besides its state: why it failed, its progress, or its size.
 */
export function importNote({ status, error, rows, phase, share }: AdminImport): string {
  if (status === 'failed') return error ?? 'It failed without a reason.';
  const many = rows === null ? '' : formatCount(rows, 'row');
  if (status === 'completed') return many;
  const far = share === null ? many : [`${Math.floor(share * 100)}%`, many].filter(Boolean).join(', ');
  return phase === null ? far : [phase, far].filter(Boolean).join(': ');
}

const verbs: Record<string, string> = {
  'user.suspended': 'Suspended',
  'user.suspension_lifted': 'Lifted the suspension of',
  'user.signed_out_everywhere': 'Signed out everywhere:',
  'task.cancelled': 'Cancelled',
  'task.retried': 'Retried',
  'mail.sent_again': 'Sent a mail again to',
  'job.retried': 'Retried the job',
  'job.cancelled': 'Cancelled the job',
};

/** A line of the administrator's record as a sentence. */
export function actionWords({ action, subject, details }: AdminAction): string {
  const what =
    typeof details.email === 'string'
      ? details.email
      : typeof details.title === 'string'
        ? `“${details.title}”`
        : subject.replace(/^job:/, '');
  return `${verbs[action] ?? action} ${what}`;
}
