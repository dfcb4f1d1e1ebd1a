import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { fates, SegmentBar } from '#platform/web/components/fate-bar.tsx';
import { formatNumber } from '#platform/web/format.ts';
import { statsOptions } from './contact-queries.ts';
import { useBinPeriod } from './use-bin-period.ts';

export type CleanCounts = Record<'removed' | 'duplicates' | 'invalid' | 'nonUk', number>;

/** What would go and what would stay, at one height while it is counted and after. */
export function CleanPreview({ counts }: { counts: CleanCounts | undefined }) {
  const stats = useQuery(statsOptions);
  const binPeriod = useBinPeriod();
  const kept = Math.max((stats.data?.totalEmails ?? 0) - (counts?.removed ?? 0), 0);
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
        can be brought back {binPeriod}. The suppression list stays as it is.
      </p>
      {counts === undefined ? (
        <Skeleton height={132} mt={12} />
      ) : (
        <div style={{ marginTop: 12, minHeight: 132 }}>
          <SegmentBar
            label={`What would become of ${formatNumber(kept + counts.removed)} contacts`}
            legend="list"
            segments={[
              { key: 'kept', label: 'Kept', colour: colourOf('imported'), value: kept },
              {
                key: 'duplicates',
                label: 'Duplicates',
                colour: colourOf('duplicates'),
                value: counts.duplicates,
              },
              { key: 'invalid', label: 'Invalid', colour: colourOf('invalid'), value: counts.invalid },
              { key: 'nonUk', label: 'Non-UK', colour: colourOf('nonUk'), value: counts.nonUk },
            ]}
          />
        </div>
      )}
    </>
  );
}

const colourOf = (key: (typeof fates)[number]['key']): string =>
  fates.find((fate) => fate.key === key)?.colour ?? 'var(--ui-track)';
