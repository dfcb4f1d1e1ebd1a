import { Skeleton } from '@mantine/core';
import { isRefusal, words } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { SegmentBar } from '#platform/web/components/fate-bar.tsx';
import { ErrorLine, ErrorState, Note } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { useLate } from '#platform/web/components/use-late.ts';
import { useShownFailure } from '#platform/web/failed-calls.ts';
import { formatNumber, formatShare } from '#platform/web/format.ts';
import classes from './segments.module.css';
import type { Figures, Preview } from './use-figures.ts';

/** How many contacts the rules mean now, and how many of them can be mailed. */
export function FiguresCard({ figures }: { figures: Figures }) {
  const { preview, total, error, uncounted } = figures;
  return (
    <Card title="Contacts now" action={<Exactness {...figures} />}>
      <div className={classes.figures} aria-live="polite" aria-busy={figures.isCounting}>
        {error && (isRefusal(error) ? <Refused error={error} /> : <Failed error={error} />)}
        {!error && (preview && total ? <Counted preview={preview} total={total} /> : <Waiting />)}
        {uncounted && <ErrorLine title="The exact figure could not be counted." error={uncounted} />}
      </div>
    </Card>
  );
}

function Exactness({ preview, total, isCounting, error }: Figures) {
  if (error || !preview || !total) return null;
  if (!total.isEstimate) return <StatusBadge status="active" label={`Exact${took(preview, isCounting)}`} />;
  return <span className={classes.exactness}>{isCounting ? 'Estimate, counting…' : 'Estimate'}</span>;
}

const took = ({ milliseconds, total }: Preview, isCounting: boolean): string =>
  isCounting || total.isEstimate ? '' : `, ${formatNumber(milliseconds)} ms`;

/** The server's sentence about rules that it cannot read. */
function Refused({ error }: { error: unknown }) {
  useShownFailure(error);
  return (
    <Note tone="error" title="Nobody can tell whom these rules mean">
      {words(error)}
    </Note>
  );
}

const Failed = ({ error }: { error: unknown }) => (
  <ErrorState title="The contacts could not be counted" description="Your rules are kept." error={error} />
);

function Waiting() {
  const isLate = useLate(true);
  return (
    <div className={classes.waiting}>{isLate && <Skeleton height={18} width={110} radius={5} mt={7} />}</div>
  );
}

function Counted({ preview, total }: { preview: Preview; total: NonNullable<Figures['total']> }) {
  const { all, statuses } = preview;
  return (
    <>
      <p className={classes.total}>
        <span className={classes.figure}>
          {total.isEstimate && <span className={classes.about}>about </span>}
          {formatNumber(total.count)}
        </span>
        <span className={classes.share}>{`${formatShare(total.count, all)} of ${formatNumber(all)}`}</span>
      </p>
      <SegmentBar
        label="Contacts by status"
        height={8}
        legend="list"
        segments={[
          {
            key: 'active',
            label: 'Can be mailed',
            colour: 'var(--ui-fate-imported)',
            value: statuses.active,
          },
          {
            key: 'suppressed',
            label: 'Suppressed',
            colour: 'var(--ui-fate-suppressed)',
            value: statuses.suppressed,
          },
          { key: 'invalid', label: 'Invalid', colour: 'var(--ui-fate-invalid)', value: statuses.invalid },
          {
            key: 'duplicate',
            label: 'Duplicate',
            colour: 'var(--ui-fate-duplicate)',
            value: statuses.duplicate,
          },
        ]}
      />
      {statuses.isEstimate && (
        <p className={classes.hint}>By status, and after each rule: estimated from a sample.</p>
      )}
    </>
  );
}
