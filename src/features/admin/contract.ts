import { z } from 'zod';
import { taskStatuses } from '#features/tasks/contract.ts';
import { access, endpoint, idParams, itemsOf, roles } from '#platform/shared/contract.ts';

/** What the installation's administrator sees and does. Every call is refused to everybody else. */

const tag = 'Administration';
const count = z.number().int();
const moment = z.iso.datetime();

export const adminStats = z.object({
  totalUsers: count,
  newUsersThisMonth: count.describe('Months and days are those of the United Kingdom.'),
  emailsProcessed: count.describe(
    'Rows of completed imports and contacts verified, in all workspaces, ever.',
  ),
  emailsThisMonth: count,
  aiJobsToday: count.describe('Verification runs begun today.'),
  campaignsToday: count.describe('Campaigns begun today; none while the product sends none.'),
  storageUsed: count.describe('Bytes: the database and the files kept beside it.'),
  activeSessions: count.describe('Sessions that have not run out.'),
  storage: z.object({ database: count, files: count }).describe('What storageUsed is made of.'),
});
export type AdminStats = z.output<typeof adminStats>;

export const getAdminStats = endpoint({
  method: 'GET',
  path: '/api/admin/stats',
  access: access.admin,
  summary: 'How much the installation is used.',
  tag,
  response: adminStats,
});

export const userStatuses = ['active', 'suspended'] as const;

export const adminUser = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  currentPlan: z.string(),
  createdAt: moment,
  status: z.enum(userStatuses),
  suspension: z
    .object({ at: moment, by: z.string(), reason: z.string().nullable() })
    .nullable()
    .describe('Null while the account is open.'),
  emailVerified: z.boolean(),
  twoFactor: z.boolean(),
  workspaces: z.array(z.object({ id: count, name: z.string(), role: z.enum(roles) })),
  lastSeen: moment.nullable().describe('To within a few minutes.'),
  sessions: count.describe('Live ones.'),
  isYou: z.boolean(),
});
export type AdminUser = z.output<typeof adminUser>;

export const listNewestUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  access: access.admin,
  summary: 'The 10 users who signed up last, the newest first.',
  tag,
  response: z.array(adminUser),
});

export const findUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users/search',
  access: access.admin,
  summary: 'Users by any part of their name, address or workspace, the newest first.',
  tag,
  query: z.object({
    search: z.string().trim().max(320).default(''),
    status: z.enum(userStatuses).optional(),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(200).default(20),
  }),
  response: itemsOf(adminUser),
});

export const suspendUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/suspend',
  access: access.admin,
  summary: 'Close an account: its sessions end at once and nobody can sign in to it. Nothing is deleted.',
  tag,
  params: idParams,
  body: z.strictObject({ reason: z.string().trim().max(500).nullish() }),
  response: adminUser,
  writesLittle: true,
});

export const liftUserSuspension = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/lift',
  access: access.admin,
  summary: 'Open a suspended account again.',
  tag,
  params: idParams,
  response: adminUser,
});

export const signUserOut = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/sign-out',
  access: access.admin,
  summary: 'End all sessions of a user, and forget the devices that need no second factor.',
  tag,
  params: idParams,
  response: z.object({ sessionsEnded: count }),
  writesLittle: true,
});

export const subscriptions = z.object({
  activeSubscriptions: count.describe('Users on a plan that costs something.'),
  subscriptionGrowth: z
    .number()
    .describe('Per cent since the beginning of the month; 100 when there were none.'),
  monthlyRevenue: z.number().describe('Pounds a month.'),
  revenueGrowth: z.number().describe('As subscriptionGrowth.'),
  planDistribution: z.array(
    z.object({
      planId: z.string(),
      userCount: count,
      monthlyValue: z.number().describe('Pounds a month from all users of the plan together.'),
    }),
  ),
});
export type Subscriptions = z.output<typeof subscriptions>;

export const getSubscriptions = endpoint({
  method: 'GET',
  path: '/api/admin/subscriptions',
  access: access.admin,
  summary: 'Who is on which plan, and what that brings in.',
  tag,
  response: subscriptions,
});

const percent = z.number().min(0).max(100);

export const performance = z.object({
  accuracy: z.object({
    target: percent,
    measured: percent,
    addresses: count.describe('In the labelled set that the judge is measured against.'),
    right: count,
  }),
  processing: z.object({
    targetSeconds: z.number(),
    seconds: z.number().nullable().describe('Mean of the imports of the last 30 days; null without any.'),
    secondsPer100k: z.number().nullable().describe('The same work for each 100,000 rows.'),
    imports: count,
    rows: count,
  }),
  uptime: z.object({
    target: percent,
    measured: percent.nullable().describe('Over the last 30 days, or since measuring began; null before.'),
    since: moment.nullable(),
    breaks: count.describe('Times it was down.'),
    downSeconds: z.number(),
  }),
});
export type Performance = z.output<typeof performance>;

export const getPerformance = endpoint({
  method: 'GET',
  path: '/api/admin/performance',
  access: access.admin,
  summary: 'What the product promises of itself, beside what was measured here.',
  tag,
  response: performance,
});

export const adminTask = z.object({
  workspace: z.object({ id: count, name: z.string() }),
  id: count,
  kind: z.string(),
  title: z.string(),
  status: z.enum(taskStatuses),
  done: count,
  total: count.nullable(),
  phase: z.string().nullable(),
  error: z.string().nullable(),
  startedBy: z.string(),
  cancelRequested: z.boolean(),
  attempts: count.describe('Runs since it last got further.'),
  createdAt: moment,
  startedAt: moment.nullable(),
  finishedAt: moment.nullable(),
});
export type AdminTask = z.output<typeof adminTask>;

/** `open` means waiting or running. */
export const taskViews = ['open', 'failed', 'all'] as const;
export type TaskView = (typeof taskViews)[number];

export const listAdminTasks = endpoint({
  method: 'GET',
  path: '/api/admin/tasks',
  access: access.admin,
  summary: 'Long work of all workspaces, the newest first.',
  tag,
  query: z.object({
    view: z.enum(taskViews).default('open'),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  response: itemsOf(adminTask).extend({
    counts: z.object({ waiting: count, running: count, completed: count, failed: count, cancelled: count }),
  }),
});

const taskParams = idParams.extend({ workspaceId: idParams.shape.id });

export const cancelAdminTask = endpoint({
  method: 'POST',
  path: '/api/admin/tasks/:workspaceId/:id/cancel',
  access: access.admin,
  summary: 'Stop a task of any workspace. What it has done so far stays.',
  tag,
  params: taskParams,
  response: z.object({ status: z.enum(taskStatuses) }),
  writesLittle: true,
});

export const retryAdminTask = endpoint({
  method: 'POST',
  path: '/api/admin/tasks/:workspaceId/:id/retry',
  access: access.admin,
  summary: 'Start the work of a failed task anew, in the name of who started it.',
  tag,
  params: taskParams,
  response: z.object({ taskId: count.describe('The new task.') }),
});

export const adminImport = z.object({
  workspace: z.object({ id: count, name: z.string() }),
  id: count,
  fileName: z.string(),
  fileSize: count.describe('Bytes'),
  status: z.enum(['running', 'failed', 'completed']),
  rows: count.nullable().describe('All rows of the file; while it runs, those read so far.'),
  phase: z.string().nullable(),
  share: z.number().nullable().describe('How much of the whole is done, from 0 to 1.'),
  error: z.string().nullable(),
  startedBy: z.string().nullable(),
  attempts: count,
  createdAt: moment,
  startedAt: moment.nullable(),
  finishedAt: moment.nullable(),
});
export type AdminImport = z.output<typeof adminImport>;

export const listAdminImports = endpoint({
  method: 'GET',
  path: '/api/admin/imports',
  access: access.admin,
  summary: 'Imports of all workspaces, the newest first. Files that were only tried are left out.',
  tag,
  query: z.object({
    view: z.enum(taskViews).default('open'),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  response: itemsOf(adminImport).extend({ counts: z.object({ open: count, failed: count, all: count }) }),
});

export const queueState = z.object({
  name: z.string(),
  schedule: z.string().nullable().describe('A cron expression in UK time; null when something sends it.'),
  waiting: count,
  running: count,
  retrying: count,
  failed: count.describe('Those that failed in the last three days. Then ended jobs are forgotten.'),
  lastCompletedAt: moment.nullable(),
});
export type QueueState = z.output<typeof queueState>;

export const notedJob = z.object({
  id: z.uuid(),
  name: z.string(),
  state: z.enum(['running', 'retrying', 'failed']),
  attempts: count,
  createdAt: moment,
  startedAt: moment.nullable(),
  failedAt: moment.nullable(),
  error: z.string().nullable(),
});
export type NotedJob = z.output<typeof notedJob>;

export const getJobs = endpoint({
  method: 'GET',
  path: '/api/admin/jobs',
  access: access.admin,
  summary: 'Background jobs: every kind, and those at work, to be retried or failed.',
  tag,
  response: z.object({
    queues: z.array(queueState),
    jobs: z.array(notedJob).describe('At most 100, the newest first.'),
  }),
});

const jobParams = z.object({ name: z.string().min(1).max(200), id: z.uuid() });

export const retryJob = endpoint({
  method: 'POST',
  path: '/api/admin/jobs/:name/:id/retry',
  access: access.admin,
  summary: 'Have a failed job tried once more.',
  tag,
  params: jobParams,
  response: z.object({ retried: z.literal(1) }),
});

export const cancelJob = endpoint({
  method: 'POST',
  path: '/api/admin/jobs/:name/:id/cancel',
  access: access.admin,
  summary: 'Take back a job that has not ended. One with a schedule runs again when its time comes.',
  tag,
  params: jobParams,
  response: z.object({ cancelled: z.literal(1) }),
  writesLittle: true,
});

export const systemHealth = z.object({
  version: z.string(),
  node: z.string(),
  role: z.string(),
  startedAt: moment,
  memory: z.object({ used: count, total: count }).describe('Bytes: of this process, and of the machine.'),
  database: z.object({
    version: z.string(),
    bytes: count,
    connections: count,
    connectionLimit: count,
    migration: z.string().describe('The latest one applied.'),
    answeredInMs: z.number(),
    embedded: z.boolean(),
  }),
  disk: z.object({ path: z.string(), free: count, total: count }).describe('Where DATA_DIR is.'),
  processes: z.array(
    z.object({
      process: z.string(),
      host: z.string(),
      role: z.string(),
      upSince: moment,
      isThis: z.boolean(),
    }),
  ),
  mailServer: z.boolean().describe('False: mail stays in the outbox.'),
  signups: z.enum(['open', 'invite']),
  sending: z.enum(['on', 'off']).describe('`off`: no mail leaves, as SENDING says.'),
  unusedSettings: z
    .array(z.object({ name: z.string(), isSet: z.boolean() }))
    .describe('Read and checked at the start, but used by nothing yet.'),
});
export type SystemHealth = z.output<typeof systemHealth>;

export const getSystemHealth = endpoint({
  method: 'GET',
  path: '/api/admin/system',
  access: access.admin,
  summary: 'How the installation is: database, disk, memory, processes, settings.',
  tag,
  response: systemHealth,
});

export const adminAction = z.object({
  id: count,
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
  createdAt: moment,
});
export type AdminAction = z.output<typeof adminAction>;

export const listAdminActions = endpoint({
  method: 'GET',
  path: '/api/admin/actions',
  access: access.admin,
  summary: 'What the administrator did, the latest first.',
  tag,
  query: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  response: itemsOf(adminAction),
});
