import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { kindLabels, reasonLabels, verdictLabels } from '#features/contacts/web/index.ts';
import { getVerification } from '#features/verification/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { SegmentBar } from '#platform/web/components/fate-bar.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { formatCount, formatNumber, formatWhen } from '#platform/web/format.ts';
import { ListSkeleton } from './list-skeleton.tsx';
import classes from './review.module.css';
import { ukSegments, verdictSegments } from './segments.ts';

/** The result of one run. */
export function OneRun({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, isPending } = useQuery(queryOptionsFor(getVerification, { params: { id } }));
  if (isPending) return <ListSkeleton />;
  if (!data) return <ErrorState title="This verification could not be shown" error={error} />;
  const { result, startedAt, startedBy, dns } = data;
  const close = (
    <Button variant="default" size="xs" onClick={onClose}>
      Close
    </Button>
  );
  return (
    <Card
      title={`${formatCount(result.contacts, 'contact')} verified`}
      hint={`${formatWhen(startedAt)}${startedBy === null ? '' : ` by ${startedBy}`}`}
      action={close}
    >
      <SegmentBar label="Verdicts" height={22} large segments={verdictSegments(result.verdicts)} />
      <div className={classes.facts}>
        <Tally title="Reasons" counts={result.reasons} labels={reasonLabels} filter="reason" />
        <Tally title="Kinds" counts={result.kinds} labels={kindLabels} filter="kind" />
        <Tally title="Verdicts" counts={result.verdicts} labels={verdictLabels} filter="verdict" />
        <div>
          <h3>UK class</h3>
          <SegmentBar label="UK class" legend="list" segments={ukSegments(result.uk)} />
        </div>
      </div>
      <p className={classes.dim}>
        {dns && result.domains
          ? `The mail servers of ${formatNumber(result.domains.asked)} domains were looked up; ${formatNumber(result.domains.unknown)} gave no answer, which counts against nobody.`
          : 'Mail servers were not looked up: the setting for it is off.'}
      </p>
    </Card>
  );
}

interface TallyProps {
  title: string;
  counts: Record<string, number>;
  labels: Record<string, string>;
  filter: 'reason' | 'kind' | 'verdict';
}

/** Figures with the largest first. Each leads to the contacts it counts. */
function Tally({ title, counts, labels, filter }: TallyProps) {
  const lines = Object.entries(counts).sort(([, one], [, other]) => other - one);
  if (lines.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {lines.map(([key, count]) => (
          <li key={key}>
            <TextLink to="/email-database" search={{ [filter]: key }}>
              {labels[key] ?? key}
            </TextLink>
            <span className={classes.figure}>{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
