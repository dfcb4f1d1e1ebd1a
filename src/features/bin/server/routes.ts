import type { Task } from '#features/tasks/contract.ts';
import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { listBin, listRemovedOf, streamReceipt } from './bin.ts';
import { clean } from './clean/clean-contacts.ts';
import { previewClean } from './clean/clean-preview.ts';
import type { RemovalsContext } from './removal-tasks.ts';
import { removeOne } from './remove-one.ts';
import { removeSelected } from './remove-selected.ts';
import { restore } from './restores.ts';

export function registerBin(router: Router, context: RemovalsContext): void {
  registerRemovals(router, context);
  registerReading(router, context.db);
}

function registerRemovals(router: Router, context: RemovalsContext): void {
  const { db, tasks, companions, audience } = context;
  router.handle(contract.deleteContact, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, (tx) =>
      removeOne(tx, { workspaceId, email: caller.email }, params.id, companions),
    ),
  );
  const { deleteContacts } = contract.binCalls(audience.filters);
  router.handle(deleteContacts, async (call) => {
    const { workspaceId, caller, body } = call;
    const done = await removeSelected(context, workspaceId, caller, body);
    return 'removed' in done ? done : tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
  router.handle(contract.cleanContacts, async (call) => {
    const { workspaceId, caller, query } = call;
    const { reasons } = query;
    if (query.preview) return db.asTenant(workspaceId, (tx) => previewClean(tx, workspaceId, reasons));
    const done = await clean(context, workspaceId, caller, reasons);
    return 'removed' in done ? done : tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
  router.handle(contract.restoreRemoval, async (call) => {
    const { workspaceId, caller, params } = call;
    const done = await restore(context, workspaceId, caller, params.id);
    return 'restored' in done ? done : tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
}

function registerReading(router: Router, db: Database): void {
  router.handle(contract.listRemovals, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => listBin(tx, workspaceId, query)),
  );
  router.handle(contract.listRemoved, ({ workspaceId, params, query }) =>
    db.asTenant(workspaceId, (tx) => listRemovedOf(tx, workspaceId, params.id, query)),
  );
  router.handle(contract.removalReceipt, async ({ workspaceId, params, reply }) =>
    reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="removed-${params.id}.csv"`)
      .header('cache-control', 'no-store')
      .send(await streamReceipt(db, workspaceId, params.id)),
  );
}
