import { recordAudit } from '#features/audit/server/index.ts';
import { importsEverywhere } from '#features/imports/server/index.ts';
import { sendAnyMailAgain } from '#features/mail/contract.ts';
import type { TaskStatus } from '#features/tasks/contract.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import { readNotedJobs, readQueues } from '#platform/server/job-oversight.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  cancelAdminTask,
  cancelJob,
  findUsers,
  getAdminStats,
  getJobs,
  getPerformance,
  getSubscriptions,
  getSystemHealth,
  liftUserSuspension,
  listAdminActions,
  listAdminImports,
  listAdminTasks,
  listNewestUsers,
  retryAdminTask,
  retryJob,
  signUserOut,
  suspendUser,
  type taskViews,
} from '../contract.ts';
import { recordAction } from './actions.ts';
import type { AdminOptions } from './admin-options.ts';
import { performanceNow } from './performance-now.ts';
import { selectActions } from './queries.ts';
import { stats } from './stats.ts';
import { subscriptionsNow } from './subscriptions-now.ts';
import { systemHealth } from './system-health.ts';
import {
  liftFromAccount,
  newestUsers,
  signOutEverywhere,
  suspendAccount,
  usersLike,
  workspaceNames,
} from './users.ts';

const pageOf = ({ page, limit }: { page: number; limit: number }) => ({
  skip: (page - 1) * limit,
  take: limit,
});

export function registerAdmin(router: Router, options: AdminOptions): void {
  router.handle(getAdminStats, () => stats(options));
  router.handle(getSubscriptions, () => subscriptionsNow(options));
  router.handle(getPerformance, () => performanceNow(options));
  router.handle(getSystemHealth, () => systemHealth(options));
  router.handle(listAdminActions, async ({ query }) => {
    const { rows, totalCount } = await selectActions(options.db.system, pageOf(query));
    return { items: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })), totalCount };
  });
  registerUsers(router, options);
  registerTasks(router, options);
  registerImports(router, options);
  registerJobs(router, options);
  registerMail(router, options);
}

function registerUsers(router: Router, { db }: AdminOptions): void {
  router.handle(listNewestUsers, ({ caller }) => newestUsers(db.system, 10, caller));
  router.handle(findUsers, ({ caller, query }) => {
    const { search, status } = query;
    return usersLike(db.system, { search, status, page: pageOf(query) }, caller);
  });
  router.handle(suspendUser, ({ caller, params, body }) =>
    suspendAccount(db, params.id, body.reason || null, caller),
  );
  router.handle(liftUserSuspension, ({ caller, params }) => liftFromAccount(db, params.id, caller));
  router.handle(signUserOut, async ({ caller, params }) => ({
    sessionsEnded: await signOutEverywhere(db, params.id, caller),
  }));
}

const statusesOf: Record<(typeof taskViews)[number], readonly TaskStatus[]> = {
  open: ['waiting', 'running'],
  failed: ['failed'],
  all: ['waiting', 'running', 'completed', 'failed', 'cancelled'],
};

function registerTasks(router: Router, options: AdminOptions): void {
  const { tasks, db } = options;
  router.handle(listAdminTasks, async ({ query }) => {
    const statuses = statusesOf[query.view];
    const { items, counts } = await tasks.list(statuses, pageOf(query));
    const names = await workspaceNames(
      db.system,
      items.map(({ workspaceId }) => workspaceId),
    );
    return {
      items: items.map(({ workspaceId, createdAt, startedAt, finishedAt, ...task }) => ({
        ...task,
        workspace: { id: workspaceId, name: names.get(workspaceId) ?? '' },
        createdAt: createdAt.toISOString(),
        startedAt: startedAt?.toISOString() ?? null,
        finishedAt: finishedAt?.toISOString() ?? null,
      })),
      totalCount: statuses.reduce((total, status) => total + counts[status], 0),
      counts,
    };
  });

  /**
   * Recorded for the administrator and in the workspace, because its people should see who touched
   * their work.
   */
  const keep = async (
    tx: TenantTx,
    caller: Caller,
    { workspaceId, id }: { workspaceId: number; id: number },
    action: string,
    details: Record<string, unknown>,
  ) => {
    const line = { action, subject: `task:${id}`, details: { ...details, byAdministrator: true } };
    await recordAudit(tx, workspaceId, { actor: caller.email, ...line });
    await recordAction(tx, caller, { action, subject: `task:${workspaceId}/${id}`, details });
  };
  router.handle(cancelAdminTask, async ({ caller, params }) => {
    const task = await tasks.cancel(params.workspaceId, params.id, (tx, { title }) =>
      keep(tx, caller, params, 'task.cancelled', { title }),
    );
    return { status: task.status };
  });
  router.handle(retryAdminTask, async ({ caller, params }) => {
    const task = await tasks.retry(params.workspaceId, params.id, (tx, { title, id }) =>
      keep(tx, caller, params, 'task.retried', { title, newTask: id }),
    );
    return { taskId: task.id };
  });
}

function registerImports(router: Router, { db }: AdminOptions): void {
  router.handle(listAdminImports, async ({ query }) => {
    const { items, ...figures } = await importsEverywhere(db.system, query.view, pageOf(query));
    const names = await workspaceNames(
      db.system,
      items.map(({ workspaceId }) => workspaceId),
    );
    return {
      ...figures,
      items: items.map(({ workspaceId, status, createdAt, startedAt, finishedAt, ...one }) => ({
        ...one,
        workspace: { id: workspaceId, name: names.get(workspaceId) ?? '' },
        status: status === 'completed' || status === 'failed' ? status : ('running' as const),
        createdAt: createdAt.toISOString(),
        startedAt: startedAt?.toISOString() ?? null,
        finishedAt: finishedAt?.toISOString() ?? null,
      })),
    };
  });
}

function registerJobs(router: Router, { db, jobs }: AdminOptions): void {
  router.handle(getJobs, async () => {
    const [queues, noted] = await Promise.all([readQueues(db.system), readNotedJobs(db.system, 100)]);
    return {
      queues: queues.map(({ lastCompletedAt, ...queue }) => ({
        ...queue,
        lastCompletedAt: lastCompletedAt?.toISOString() ?? null,
      })),
      jobs: noted.map(({ createdAt, startedAt, failedAt, ...job }) => ({
        ...job,
        createdAt: createdAt.toISOString(),
        startedAt: startedAt?.toISOString() ?? null,
        failedAt: failedAt?.toISOString() ?? null,
      })),
    };
  });

  const queue = () => {
    const running = jobs();
    if (running) return running;
    throw new AppError('unavailable', 'The job queue is still starting. Try again in a moment.');
  };
  router.handle(retryJob, ({ caller, params: { name, id } }) =>
    db.system.transaction().execute(async (tx) => {
      if (!(await queue().retry(name, id, tx)))
        throw new AppError('not_found', 'There is no such job that has failed.');
      await recordAction(tx, caller, { action: 'job.retried', subject: `job:${name}`, details: { id } });
      return { retried: 1 as const };
    }),
  );
  router.handle(cancelJob, ({ caller, params: { name, id } }) =>
    db.system.transaction().execute(async (tx) => {
      if (!(await queue().cancel(name, id, tx)))
        throw new AppError('not_found', 'There is no such job that has not ended.');
      await recordAction(tx, caller, { action: 'job.cancelled', subject: `job:${name}`, details: { id } });
      return { cancelled: 1 as const };
    }),
  );
}

function registerMail(router: Router, { mail }: AdminOptions): void {
  router.handle(sendAnyMailAgain, ({ caller, params, reply }) => {
    reply.header('cache-control', 'no-store');
    return mail.sendAgain(params.id, caller.email, (tx, { to, subject }) =>
      recordAction(tx, caller, {
        action: 'mail.sent_again',
        subject: `mail:${params.id}`,
        details: { email: to, subject },
      }),
    );
  });
}
