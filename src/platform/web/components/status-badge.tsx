import { capitalise } from '../format.ts';
import type { Tone } from '../theme-colours.ts';
import classes from './status-badge.module.css';

/**
 * The tone of each status word. Good news is quiet, an exception gets a tint. A word not listed
 * here means work in progress.
 */
const tones: Record<string, Tone> = {
  active: 'success',
  completed: 'success',
  sent: 'success',
  suppressed: 'warning',
  'in-progress': 'warning',
  pending: 'warning',
  paused: 'warning',
  uncertain: 'warning',
  invalid: 'error',
  failed: 'error',
  duplicate: 'neutral',
  draft: 'neutral',
  skipped: 'neutral',
  deferred: 'warning',
};

/** A status's tone. A word that this list does not know is `primary`. */
export const toneOf = (status: string): Tone => tones[status] ?? 'primary';

interface StatusBadgeProps {
  /** The status as the server sends it. */
  status: string;
  /** Replaces the status with its first letter in upper case. */
  label?: string;
  tone?: Tone;
}

/** A dot and plain text for good news, a tint for everything else. */
export function StatusBadge({ status, label = capitalise(status), tone = toneOf(status) }: StatusBadgeProps) {
  return (
    <span className={tone === 'success' ? classes.quiet : classes.tinted} data-tone={tone}>
      <span className={classes.dot} aria-hidden />
      {label}
    </span>
  );
}

/** A short word on a tint without a dot, such as "Beta". */
export function WordBadge({ children, tone = 'neutral' }: { children: string; tone?: Tone }) {
  return (
    <span className={classes.tinted} data-tone={tone}>
      {children}
    </span>
  );
}
