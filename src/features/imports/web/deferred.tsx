import { lazy, Suspense, useState } from 'react';
import type { ImportDialogProps } from './import-dialog.tsx';

/*
 * What other screens put on themselves. The feature's door is part of the first page load, so the parts behind it are
 * fetched when a screen shows them.
 */

const LazyDropArea = lazy(() => import('./import-drop-area.tsx'));
const LazyDialog = lazy(() => import('./import-dialog.tsx'));

/** The dashed card to drop a CSV on, with what became of the last import. It brings its own `ImportDialog`. */
export function ImportDropArea() {
  return (
    <Suspense fallback={<div style={{ minHeight: 206 }} />}>
      <LazyDropArea />
    </Suspense>
  );
}

/** Choose a file, choose options, then check it first or import it straight away. Fetched when first opened. */
export function ImportDialog(props: ImportDialogProps) {
  const [wanted, setWanted] = useState(props.opened);
  if (props.opened && !wanted) setWanted(true);
  return <Suspense fallback={null}>{wanted && <LazyDialog {...props} />}</Suspense>;
}
