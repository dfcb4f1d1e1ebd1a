import type { TaskStatus } from './contract.ts';

/** True of work that has not ended. */
export const isOpen = (status: TaskStatus): boolean => status === 'waiting' || status === 'running';

/** Finished tasks are kept for so many days. */
export const keptDays = 30;
