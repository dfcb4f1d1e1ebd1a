import type { TaskStatus } from './contract.ts';

/** True for work that has not ended. */
export const isOpen = (status: TaskStatus): boolean => status === 'waiting' || status === 'running';

/** Finished tasks are kept for this many days. */
export const keptDays = 30;

const longestWords = 60;

/** How a task ended, in a few words of its own: what came of it, or what it was. */
export function endedWords({
  title,
  status,
  summary,
}: {
  title: string;
  status: TaskStatus;
  summary: string | null;
}): string {
  if (status !== 'completed') return `${title}: ${status}`;
  const words = summary?.replace(/\.$/, '') ?? '';
  return words !== '' && words.length <= longestWords ? words : `${title}: done`;
}
