import type { ReactNode } from 'react';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';
import { deferred } from '#platform/web/components/deferred.tsx';

/**
 * The current workspace, and the way to the person's other ones. `children` is shown until the code
 * is loaded.
 */
export const WorkspaceSwitcher = deferred<{ children: ReactNode }>(
  async () => (await import('./workspace-switcher.tsx')).default,
  ({ children }) => children,
);

/** Replaces the whole product for people who must first set up what their workspace requires. */
export const TwoFactorGate = deferred(
  async () => (await import('./two-factor-gate.tsx')).default,
  () => <CentredSpinner />,
);
