import { lazy, Suspense } from 'react';
import type { TagsCardProps } from './tags-card.tsx';

const LazyCard = lazy(async () => ({ default: (await import('./tags-card.tsx')).TagsCard }));

/** All tags in a group, with what can be done with each, for the screen of lists. */
export const TagsCard = (props: TagsCardProps) => (
  <Suspense fallback={null}>
    <LazyCard {...props} />
  </Suspense>
);
