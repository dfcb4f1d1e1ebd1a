import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { statsOptions } from '#features/audience/web/index.ts';
import { SegmentBar } from '#platform/web/components/fate-bar.tsx';
import { useLate } from '#platform/web/components/use-late.ts';
import { capitalise, formatCount, formatNumber } from '#platform/web/format.ts';
import type { CleanReason, CleanReasonView } from '../contract.ts';
import classes from './clean-preview.module.css';
import { ReasonRow } from './clean-reason-row.tsx';
import { type CleanCounts, colourOf, fateLabels, figureOf, mayBeAny, reasonsInWords } from './clean-words.ts';
import { useBinPeriod } from './use-bin-period.ts';

interface CleanPreviewProps {
  /** Undefined while counting. */
  reasons: readonly CleanReasonView[] | undefined;
  /** What the chosen reasons amount to. */
  counts: CleanCounts | undefined;
  chosen: readonly CleanReason[];
  onChoose: (chosen: CleanReason[]) => void;
}

/**
 * What would go, for which reason, and what would stay. Each reason has a switch. Keeps its height
 * during and after counting.
 */
export function CleanPreview({ reasons, counts, chosen, onChoose }: CleanPreviewProps) {
  const total = useQuery(statsOptions).data?.totalEmails;
  const binPeriod = useBinPeriod();
  if (reasons && !reasons.some(mayBeAny)) {
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
        What you choose goes to the bin, where it can be brought back {binPeriod}. That includes suppressed
        contacts; the suppression list stays as it is.
      </p>
      <div className={classes.preview}>
        {reasons === undefined || counts === undefined ? (
          <Counting total={total} />
        ) : (
          <>
            <WouldBecome counts={counts} total={total ?? 0} />
            <ul className={classes.reasons}>
              {reasons
                .filter((view) => view.reason !== 'letIn' || mayBeAny(view))
                .map((view) => (
                  <ReasonRow
                    key={view.reason}
                    view={view}
                    checked={chosen.includes(view.reason)}
                    onChange={(isChosen) =>
                      onChoose(
                        isChosen ? [...chosen, view.reason] : chosen.filter((one) => one !== view.reason),
                      )
                    }
                  />
                ))}
            </ul>
          </>
        )}
      </div>
    </>
  );
}

function WouldBecome({ counts, total }: { counts: CleanCounts; total: number }) {
  const kept = Math.max(total - counts.removed, 0);
  return (
    <>
      <SegmentBar
        label={`What would become of ${formatNumber(kept + counts.removed)} contacts`}
        legend="none"
        segments={fateLabels.map(({ key, label }) => ({
          key,
          label,
          colour: colourOf(key),
          value: key === 'kept' ? kept : counts[key],
        }))}
      />
      <p className={classes.sum} role="status">
        {capitalise(figureOf(counts.removed, counts.isEstimate))} would go,{' '}
        {figureOf(kept, counts.isEstimate)} stay
      </p>
    </>
  );
}

/** Shown while counting: the lines to come, and what is happening. */
function Counting({ total }: { total: number | undefined }) {
  const isLate = useLate(true);
  return (
    <div aria-busy>
      <div className={classes.bar} />
      <p className={classes.sum} role="status">
        {isLate &&
          `Looking at ${total === undefined ? 'each contact' : formatCount(total, 'contact')}. Nothing is removed yet.`}
      </p>
      <ul className={classes.reasons} aria-hidden>
        {(['duplicate', 'invalid', 'nonUk'] as const).map((reason) => (
          <li key={reason} className={classes.blank}>
            <span>{reasonsInWords[reason].label}</span>
            {isLate && <Skeleton height={10} width={72} radius={5} className={classes.figure} />}
          </li>
        ))}
      </ul>
    </div>
  );
}
