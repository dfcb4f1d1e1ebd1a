import type { WebFeature } from '#platform/web/feature.ts';

export { type Outcome, type Started, startTask } from './start-task.ts';
/** @public for screens that show their own task larger than the tray does */
export { useTask } from './task-watch.ts';

export const tasksFeature: WebFeature = {
  pages: [],
  background: () => import('./running-tasks.tsx'),
};
