import { lazy, type ReactNode, Suspense } from 'react';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';

const LazySwitcher = lazy(() => import('./workspace-switcher.tsx'));
const LazyGate = lazy(() => import('./two-factor-gate.tsx'));

/**
 * Where one is at work, and the way to one's other workspaces. `children` is what it looks like
 * until it is fetched.
 */
export function WorkspaceSwitcher({ children }: { children: ReactNode }) {
  return (
    <Suspense fallback={children}>
      <LazySwitcher>{children}</LazySwitcher>
    </Suspense>
  );
}

/**
 * Stands in the place of the whole product for who has yet to set up what their workspace asks for.
 */
export function TwoFactorGate() {
  return (
    <Suspense fallback={<CentredSpinner />}>
      <LazyGate />
    </Suspense>
  );
}
