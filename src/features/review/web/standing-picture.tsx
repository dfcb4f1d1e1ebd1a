import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { verificationSummary } from '#features/verification/contract.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { Card } from '#platform/web/components/card.tsx';
import { SegmentBar } from '#platform/web/components/fate-bar.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { formatNumber } from '#platform/web/format.ts';
import { verdictSegments } from './segments.ts';

/** The current verdicts on all contacts. */
export function StandingPicture({
  summary,
}: {
  summary: UseQueryResult<ResponseOf<typeof verificationSummary>>;
}) {
  const { data, isPending, error, refetch } = summary;
  if (isPending) return <Skeleton height={96} />;
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
        segments={verdictSegments(data.verdicts, Math.max(0, data.total - data.contacts))}
      />
    </Card>
  );
}
