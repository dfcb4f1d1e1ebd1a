import { lazy, type ReactNode, Suspense } from 'react';

const LazySwitcher = lazy(() => import('./workspace-switcher.tsx'));

/** Where one is at work, and the way to one's other workspaces. `children` is what it looks like until it is fetched. */
export function WorkspaceSwitcher({ children }: { children: ReactNode }) {
  return (
    <Suspense fallback={children}>
      <LazySwitcher>{children}</LazySwitcher>
    </Suspense>
  );
}
