import type { Task } from '#features/tasks/contract.ts';
import { undoChange } from '#features/tasks/server/index.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { listChanges } from './changes/list-changes.ts';
import { setMany } from './changes/set-many.ts';
import { setOne } from './changes/set-one.ts';
import { basisUndo } from './changes/undo-change.ts';
import type { BasisContext } from './context.ts';
import { changeMailable, readBasisSettings } from './settings.ts';

export function registerBasis(router: Router, context: BasisContext): void {
  const { db, tasks, audience } = context;
  router.handle(contract.getBasisSettings, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => readBasisSettings(tx, workspaceId)),
  );
  router.handle(contract.changeBasisSettings, ({ workspaceId, caller, body }) =>
    db.asTenant(workspaceId, (tx) =>
      changeMailable(tx, workspaceId, caller.email, body.mailable, body.expected),
    ),
  );
  router.handle(contract.setBasisOfContact, ({ workspaceId, caller, params, body }) =>
    db.asTenant(workspaceId, (tx) => setOne(tx, workspaceId, caller, params.id, body)),
  );
  router.handle(contract.basisCalls(audience.filters).setBases, async (call) => {
    const { workspaceId, caller, body } = call;
    const done = await setMany(context, workspaceId, caller, body);
    return 'changed' in done ? done : tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
  router.handle(contract.listBasisChanges, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => listChanges(tx, workspaceId, query)),
  );
  router.handle(contract.undoBasisChange, async (call) => {
    const { workspaceId, caller, params } = call;
    const done = await undoChange(context, basisUndo, workspaceId, caller, params.id);
    return 'undone' in done ? done : tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
}
