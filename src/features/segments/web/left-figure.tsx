import { Skeleton } from '@mantine/core';
import { useLate } from '#platform/web/components/use-late.ts';
import { formatNumber } from '#platform/web/format.ts';
import type { Left } from './use-figures.ts';

/** The contacts left after a rule or a group. A dash where it is not counted. */
export function LeftFigure({ of, left }: { of: number; left: Left | undefined }) {
  const isLate = useLate(left === undefined);
  if (left === undefined) return isLate && <Skeleton height={10} width={48} radius={4} />;
  const count = left.counts.get(of);
  if (count === undefined) return <span title="Not counted">–</span>;
  return (
    <span title={left.isEstimate ? 'An estimate' : 'Exact'}>
      {left.isEstimate && <span aria-hidden>≈ </span>}
      {formatNumber(count)}
    </span>
  );
}
