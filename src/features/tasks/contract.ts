import { z } from 'zod';
import {
  access,
  cursorField,
  endpoint,
  flag,
  idParams,
  raw,
  walkedItemsOf,
} from '#platform/shared/contract.ts';

export const taskStatuses = ['waiting', 'running', 'completed', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** Long work in a workspace: an export of millions of contacts, a clean, a verification. */
export const task = z
  .object({
    id: z.number().int(),
    kind: z.string().describe('What is done, e.g. `contacts.clean`.'),
    title: z.string().describe('The same in words, with the numbers.'),
    status: z.enum(taskStatuses),
    done: z.number().int(),
    total: z.number().int().nullable().describe('Null while it is not known how much there is.'),
    phase: z.string().nullable().describe('What it is at, where it has several parts.'),
    result: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'What the call that started it answers. For a task that was cancelled or failed, it is what was done before.',
      ),
    link: z.string().nullable().describe('The screen that shows the outcome.'),
    summary: z.string().nullable().describe('The result in a sentence, once it has ended.'),
    error: z.string().nullable().describe('Why it failed, in words for a person.'),
    startedBy: z.string(),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Task' });
export type Task = z.output<typeof task>;

/**
 * The answer to `Prefer: respond-async`: the work goes on by itself, and this is where to find it.
 */
export const startedTask = z.object({ taskId: z.number().int() });
export type StartedTask = z.output<typeof startedTask>;

/**
 * The answers of a call that may take long: its own when done, or the task for callers who do not
 * wait.
 */
export const orTask = <T extends z.ZodType>(done: T) => ({ response: done, accepted: startedTask });

const tag = 'Tasks';

export const listTasks = endpoint({
  method: 'GET',
  path: '/api/tasks',
  access: access.member('viewer', 'tasks:read'),
  summary: 'Long work in the workspace, newest first. It is kept for 30 days after its end.',
  tag,
  query: z.object({
    open: flag.optional().describe('Only work that waits or runs (true), or only what has ended (false).'),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(100).default(20),
    cursor: cursorField,
  }),
  response: walkedItemsOf(task),
});

export const getTask = endpoint({
  method: 'GET',
  path: '/api/tasks/:id',
  access: access.member('viewer', 'tasks:read'),
  summary: 'One task: how far it is, or how it ended.',
  tag,
  params: idParams,
  response: task,
});

export const taskEvents = endpoint({
  method: 'GET',
  path: '/api/tasks/:id/events',
  access: access.member('viewer', 'tasks:read'),
  summary:
    'The task as it goes on, as server-sent events: `progress` several times a second, then one `done`; the data is the task.',
  tag,
  params: idParams,
  response: raw('text/event-stream'),
});

export const cancelTask = endpoint({
  method: 'POST',
  path: '/api/tasks/:id/cancel',
  access: access.member('editor', 'tasks:write'),
  summary: 'Stop a task. What it has done so far stays, and its result tells of it.',
  tag,
  params: idParams,
  response: task,
  writesLittle: true,
});
