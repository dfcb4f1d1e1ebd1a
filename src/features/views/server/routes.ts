import { answersCall, type Database } from '#platform/server/database.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { changeView } from './change-view.ts';
import { chooseView } from './choose-view.ts';
import { listViews } from './list-views.ts';
import type { Person } from './person.ts';
import { removeView } from './remove-view.ts';
import { restoreView } from './restore-view.ts';
import { saveView } from './save-view.ts';

const personOf = (workspaceId: number, caller: Caller): Person => ({
  workspaceId,
  userId: Number(caller.userId),
  email: caller.email,
  role: caller.workspace?.role ?? 'viewer',
});

export function registerViews(router: Router, db: Database): void {
  router.handle(contract.listViews, ({ workspaceId, caller, query }) =>
    db.asTenant(workspaceId, (tx) => listViews(tx, personOf(workspaceId, caller), query.screen)),
  );
  router.handle(contract.saveView, ({ workspaceId, caller, body }) =>
    db.asTenant(workspaceId, (tx) => saveView(tx, personOf(workspaceId, caller), body), answersCall),
  );
  router.handle(contract.changeView, ({ workspaceId, caller, params, body }) =>
    db.asTenant(workspaceId, (tx) => changeView(tx, personOf(workspaceId, caller), params.id, body)),
  );
  router.handle(contract.deleteView, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, (tx) => removeView(tx, personOf(workspaceId, caller), params.id)),
  );
  router.handle(contract.restoreView, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, (tx) => restoreView(tx, personOf(workspaceId, caller), params.id), answersCall),
  );
  router.handle(contract.chooseViews, ({ workspaceId, caller, body: { screen, ...wanted } }) =>
    db.asTenant(workspaceId, (tx) => chooseView(tx, personOf(workspaceId, caller), screen, wanted)),
  );
}
