import { lazy, Suspense } from 'react';

const LazySetUp = lazy(async () => ({ default: (await import('./two-factor-card.tsx')).SetUpDialog }));

/** Sets up two-factor sign-in. It draws QR codes, which no first page needs. */
export const SetUpDialog = (props: { onClose: () => void }) => (
  <Suspense fallback={null}>
    <LazySetUp {...props} />
  </Suspense>
);
