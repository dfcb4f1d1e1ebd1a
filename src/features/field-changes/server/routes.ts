import type { Task } from '#features/tasks/contract.ts';
import { undoChange } from '#features/tasks/server/index.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import type { FieldChangesContext } from './context.ts';
import { listChanges } from './list-changes.ts';
import { previewSet } from './preview-set.ts';
import { setFields } from './set-fields.ts';
import { fieldsUndo } from './undo-change.ts';

export function registerFieldChanges(router: Router, context: FieldChangesContext): void {
  const { db, tasks, audience } = context;
  const calls = contract.fieldChangeCalls(audience.filters);
  router.handle(calls.setFields, async (call) => {
    const { workspaceId, caller, body } = call;
    const done = await setFields(context, workspaceId, caller, body);
    return 'changed' in done ? done : tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
  router.handle(calls.previewFieldChange, ({ workspaceId, body }) => previewSet(context, workspaceId, body));
  router.handle(contract.listFieldChanges, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => listChanges(tx, workspaceId, query)),
  );
  router.handle(contract.undoFieldChange, async (call) => {
    const { workspaceId, caller, params } = call;
    const done = await undoChange(context, fieldsUndo, workspaceId, caller, params.id);
    return 'undone' in done ? done : tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
}
