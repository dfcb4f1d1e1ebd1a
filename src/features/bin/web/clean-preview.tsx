import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { statsOptions } from '#features/audience/web/index.ts';
import { fates, SegmentBar } from '#platform/web/components/fate-bar.tsx';
import { useLate } from '#platform/web/components/use-late.ts';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import classes from './clean-preview.module.css';
import { useBinPeriod } from './use-bin-period.ts';

export type CleanCounts = Record<'removed' | 'duplicates' | 'invalid' | 'nonUk', number>;

/** What would go and what would stay. Keeps its height during and after counting. */
export function CleanPreview({ counts }: { counts: CleanCounts | undefined }) {
  const total = useQuery(statsOptions).data?.totalEmails;
  const binPeriod = useBinPeriod();
  if (counts?.removed === 0) {
    return (
      <p>
        There is nothing to remove: no duplicate, no invalid address, and none that your settings count as
        non-UK.
      </p>
    );
  }
  return (
    <>
      <p>
        Duplicates, invalid addresses and those that your settings count as non-UK go to the bin, where they
        can be brought back {binPeriod}. That includes suppressed contacts; the suppression list stays as it
        is.
      </p>
      <div className={classes.preview}>
        {counts === undefined ? <Counting total={total} /> : <Counts counts={counts} total={total ?? 0} />}
      </div>
    </>
  );
}

function Counts({ counts, total }: { counts: CleanCounts; total: number }) {
  const kept = Math.max(total - counts.removed, 0);
  return (
    <SegmentBar
      label={`What would become of ${formatNumber(kept + counts.removed)} contacts`}
      legend="list"
      segments={parts.map(({ key, label, fate }) => ({
        key,
        label,
        colour: colourOf(fate),
        value: key === 'kept' ? kept : counts[key],
      }))}
    />
  );
}

/**
 * Shown while counting: the lines to come, and what is happening. Every contact is looked at, which
 * takes seconds for millions.
 */
function Counting({ total }: { total: number | undefined }) {
  const isLate = useLate(true);
  return (
    <div aria-busy>
      <div className={classes.bar} />
      <ul className={classes.lines} aria-hidden>
        {parts.map(({ key, label }) => (
          <li key={key}>
            <span>{label}</span>
            {isLate && <Skeleton height={10} width={72} radius={5} className={classes.figure} />}
          </li>
        ))}
      </ul>
      <p className={classes.words} role="status">
        {isLate &&
          `Looking at ${total === undefined ? 'each contact' : formatCount(total, 'contact')}. Nothing is removed yet.`}
      </p>
    </div>
  );
}

const parts = [
  { key: 'kept', label: 'Kept', fate: 'imported' },
  { key: 'duplicates', label: 'Duplicates', fate: 'duplicates' },
  { key: 'invalid', label: 'Invalid', fate: 'invalid' },
  { key: 'nonUk', label: 'Non-UK', fate: 'nonUk' },
] as const;

const colourOf = (key: (typeof fates)[number]['key']): string =>
  fates.find((fate) => fate.key === key)?.colour ?? 'var(--ui-track)';
