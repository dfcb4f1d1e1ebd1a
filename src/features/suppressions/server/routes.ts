import type { Actor } from '#features/audit/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import { answersCall } from '#platform/server/database.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import {
  liftDomainSuppression,
  liftDomainSuppressions,
  liftEmailSuppression,
  liftEmailSuppressions,
  listDomainSuppressions,
  listEmailSuppressions,
  previewDomain,
  suppressAddress,
  suppressContact,
  suppressDomain,
  suppressionCalls,
  suppressionSummary,
  undoLifting,
} from '../contract.ts';
import { liftMany, liftOne, undoLiftingOf } from './lifting/lifting.ts';
import { listAddresses, listDomains, summarise } from './lists.ts';
import type { WorkContext } from './piecework.ts';
import { suppressOneAddress, suppressOneContact } from './suppress-addresses.ts';
import { previewOf, suppressWholeDomain } from './suppress-domain.ts';
import { suppressSelected } from './suppress-selection.ts';

const actorOf = (call: { workspaceId: number; caller: Caller }): Actor => ({
  workspaceId: call.workspaceId,
  email: call.caller.email,
});

const isTask = (done: object): done is Task => 'kind' in done;

export function registerSuppressions(router: Router, context: WorkContext): void {
  const { db, tasks, audience } = context;
  const { suppressContacts } = suppressionCalls(audience.filters);
  router.handle(suppressContact, (call) =>
    db.asTenant(
      call.workspaceId,
      (tx) => suppressOneContact(tx, actorOf(call), call.body.emailId),
      answersCall,
    ),
  );
  router.handle(suppressContacts, async (call) => {
    const { workspaceId, caller, body } = call;
    const done = await suppressSelected(context, workspaceId, caller, body);
    return isTask(done) ? tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done) : done;
  });
  router.handle(suppressAddress, (call) =>
    db.asTenant(call.workspaceId, (tx) => suppressOneAddress(tx, actorOf(call), call.body), answersCall),
  );
  router.handle(suppressDomain, (call) =>
    db.asTenant(call.workspaceId, (tx) => suppressWholeDomain(tx, actorOf(call), call.body), answersCall),
  );
  router.handle(listEmailSuppressions, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => listAddresses(tx, workspaceId, query)),
  );
  router.handle(listDomainSuppressions, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => listDomains(tx, workspaceId, query)),
  );
  router.handle(previewDomain, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => previewOf(tx, workspaceId, query.domain)),
  );
  router.handle(suppressionSummary, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => summarise(tx, workspaceId)),
  );
  registerLifting(router, context);
}

function registerLifting(router: Router, context: WorkContext): void {
  const { db, tasks } = context;
  router.handle(liftEmailSuppression, (call) =>
    db.asTenant(call.workspaceId, (tx) => liftOne(tx, actorOf(call), 'email', call.params.id, call.body)),
  );
  router.handle(liftDomainSuppression, (call) =>
    db.asTenant(call.workspaceId, (tx) => liftOne(tx, actorOf(call), 'domain', call.params.id, call.body)),
  );
  for (const [endpoint, list] of [
    [liftEmailSuppressions, 'email'],
    [liftDomainSuppressions, 'domain'],
  ] as const) {
    router.handle(endpoint, async (call) => {
      const { workspaceId, caller, body } = call;
      const done = await liftMany(context, workspaceId, caller, { list, selection: body });
      return isTask(done) ? tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done) : done;
    });
  }
  router.handle(undoLifting, async (call) => {
    const { workspaceId, caller, params } = call;
    const done = await undoLiftingOf(context, workspaceId, caller, params.id);
    return isTask(done) ? tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done) : done;
  });
}
