import { lazy, type ReactNode, Suspense } from 'react';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';

const LazySwitcher = lazy(() => import('./workspace-switcher.tsx'));
const LazyGate = lazy(() => import('./two-factor-gate.tsx'));

/**
 * The current workspace, and the way to the person's other ones. `children` is shown until the code
 * is loaded.
 */
export function WorkspaceSwitcher({ children }: { children: ReactNode }) {
  return (
    <Suspense fallback={children}>
      <LazySwitcher>{children}</LazySwitcher>
    </Suspense>
  );
}

/** Replaces the whole product for people who must first set up what their workspace requires. */
export function TwoFactorGate() {
  return (
    <Suspense fallback={<CentredSpinner />}>
      <LazyGate />
    </Suspense>
  );
}
