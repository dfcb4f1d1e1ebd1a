import type { TaskStatus } from './contract.ts';

/** True for work that has not ended. */
export const isOpen = (status: TaskStatus): boolean => status === 'waiting' || status === 'running';

/** Finished tasks are kept for this many days. */
export const keptDays = 30;
