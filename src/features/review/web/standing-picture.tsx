import { Skeleton } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { statsOptions } from '#features/audience/web/index.ts';
import type { verificationSummary } from '#features/verification/contract.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { Card } from '#platform/web/components/card.tsx';
import { type Segment, SegmentBar } from '#platform/web/components/fate-bar.tsx';
import { TextLink } from '#platform/web/components/links.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import classes from './review.module.css';
import { verdictSegments } from './segments.ts';

/**
 * Why there are more or fewer invalid ones here than on the dashboard. Keeps its line while it
 * loads.
 */
function BesideStatus() {
  const invalid = useQuery(statsOptions).data?.invalidEmails;
  return (
    <p className={classes.beside}>
      A verdict is about the address alone, so suppressed contacts and further copies are in these figures.
      {invalid !== undefined && (
        <>
          {' By their status, '}
          <TextLink to="/email-database" search={{ status: 'invalid' }}>
            {formatCount(invalid, 'contact is', 'contacts are')} invalid
          </TextLink>
          .
        </>
      )}
    </p>
  );
}

/** Each verdict's figure leads to its contacts. There is no list of those never verified. */
const leading = (segment: Segment): Segment =>
  segment.key === 'unverified'
    ? segment
    : { ...segment, leads: { to: '/email-database', search: { verdict: segment.key } } };

/** The current verdicts on all contacts. */
export function StandingPicture({
  summary,
}: {
  summary: UseQueryResult<ResponseOf<typeof verificationSummary>>;
}) {
  const { data, isPending, error, refetch } = summary;
  // As high as what comes, so that the tabs below keep their place.
  if (isPending) return <Skeleton height={157} radius={8} />;
  if (!data) {
    return (
      <ErrorState title="The verdicts could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <Card
      title="Verdicts now"
      hint={`${formatNumber(data.contacts)} of ${formatNumber(data.total)} contacts verified`}
    >
      <SegmentBar
        label="Verdicts on all contacts"
        height={12}
        segments={verdictSegments(data.verdicts, Math.max(0, data.total - data.contacts)).map(leading)}
      />
      {data.contacts > 0 && <BesideStatus />}
    </Card>
  );
}
