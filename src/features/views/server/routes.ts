import { answersCall, type Database } from '#platform/server/database.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import { changeView, chooseViews, deleteView, listViews, restoreView, saveView } from '../contract.ts';
import * as service from './service.ts';

const personOf = (workspaceId: number, caller: Caller): service.Person => ({
  workspaceId,
  userId: Number(caller.userId),
  email: caller.email,
  role: caller.workspace?.role ?? 'viewer',
});

export function registerViews(router: Router, db: Database): void {
  router.handle(listViews, ({ workspaceId, caller, query }) =>
    db.asTenant(workspaceId, (tx) => service.listFor(tx, personOf(workspaceId, caller), query.screen)),
  );
  router.handle(saveView, ({ workspaceId, caller, body }) =>
    db.asTenant(workspaceId, (tx) => service.save(tx, personOf(workspaceId, caller), body), answersCall),
  );
  router.handle(changeView, ({ workspaceId, caller, params, body }) =>
    db.asTenant(workspaceId, (tx) => service.change(tx, personOf(workspaceId, caller), params.id, body)),
  );
  router.handle(deleteView, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, (tx) => service.remove(tx, personOf(workspaceId, caller), params.id)),
  );
  router.handle(restoreView, ({ workspaceId, caller, params }) =>
    db.asTenant(
      workspaceId,
      (tx) => service.restore(tx, personOf(workspaceId, caller), params.id),
      answersCall,
    ),
  );
  router.handle(chooseViews, ({ workspaceId, caller, body: { screen, ...wanted } }) =>
    db.asTenant(workspaceId, (tx) => service.choose(tx, personOf(workspaceId, caller), screen, wanted)),
  );
}
