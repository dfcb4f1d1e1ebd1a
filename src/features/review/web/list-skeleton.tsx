import { Skeleton } from '@mantine/core';

/** As tall as the groups that will appear. */
export const ListSkeleton = () => (
  <div style={{ display: 'grid', gap: 12 }} role="status" aria-label="Loading">
    {[0, 1, 2].map((place) => (
      <Skeleton key={place} height={96} />
    ))}
  </div>
);
