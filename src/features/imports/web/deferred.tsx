import { lazy, Suspense } from 'react';

const LazyDropArea = lazy(() => import('./import-drop-area.tsx'));

/**
 * The dashed card to drop a CSV on, with what became of the last import. It brings its own import
 * dialog. The feature's door is part of the first page load, so the card itself is fetched by the
 * screen that shows it.
 */
export function ImportDropArea() {
  return (
    <Suspense fallback={<div style={{ minHeight: 206 }} />}>
      <LazyDropArea />
    </Suspense>
  );
}
