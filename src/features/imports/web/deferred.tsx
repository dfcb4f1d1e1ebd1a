import { lazy, Suspense } from 'react';

const LazyDropArea = lazy(() => import('./import-drop-area.tsx'));

/**
 * The dashed card to drop a CSV on, with the result of the last import. It contains its own import
 * dialog. This module is part of the first page load, so the card itself loads only with the screen
 * that shows it.
 */
export function ImportDropArea() {
  return (
    <Suspense fallback={<div style={{ minHeight: 206 }} />}>
      <LazyDropArea />
    </Suspense>
  );
}
