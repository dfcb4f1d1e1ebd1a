import { lazy } from 'react';

/** The settings' card for what is done to the database as a whole. Put it within a `Suspense`. */
export const MaintenanceCard = lazy(() =>
  import('./maintenance-card.tsx').then((module) => ({ default: module.MaintenanceCard })),
);
