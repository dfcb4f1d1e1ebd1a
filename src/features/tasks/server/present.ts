import type { Task } from '../contract.ts';
import { isOpen } from '../rules.ts';
import { type Definitions, understand } from './definition.ts';
import { type Progress, type TaskRow, waitsForNewer } from './queries.ts';

/**
 * At this age, a task that no process understands is reported. A new version rolls out faster than
 * that.
 */
export const quietSeconds = 600;

/** A task as the API shows it. `progress` comes from the run in this process, which knows best. */
export function presentTask(definitions: Definitions, row: TaskRow, progress?: Progress): Task {
  const { done, total, phase } = isOpen(row.status) && progress ? progress : row;
  const known = row.result ? understand(definitions, row) : undefined;
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    status: row.status,
    done,
    total,
    phase: phaseOf(definitions, { ...row, phase }),
    result: row.result,
    link: row.link,
    summary: (row.result && known?.definition.summary?.(row.result, known.input)) ?? null,
    error: row.error,
    startedBy: row.userName,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/**
 * What a task is doing. A kind that this version does not know waits for a process of a newer
 * version.
 */
export function phaseOf(
  definitions: Definitions,
  { kind, status, phase, createdAt }: Pick<TaskRow, 'kind' | 'status' | 'phase' | 'createdAt'>,
): string | null {
  const isLeft = status === 'waiting' && !definitions.has(kind);
  return isLeft && Date.now() - createdAt.getTime() >= quietSeconds * 1000 ? waitsForNewer : phase;
}
