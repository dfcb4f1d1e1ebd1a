import type { Database } from '#platform/server/database.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import {
  liftDomainSuppression,
  liftDomainSuppressions,
  liftEmailSuppression,
  liftEmailSuppressions,
  listDomainSuppressions,
  listEmailSuppressions,
  suppressAddress,
  suppressContact,
  suppressContacts,
  suppressDomain,
  suppressionSummary,
  undoLifting,
} from '../contract.ts';
import { liftMany, liftOne, undoLiftingOf } from './lifting.ts';
import { listAddresses, listDomains, summarise } from './lists.ts';
import {
  type Actor,
  suppressManyContacts,
  suppressOneAddress,
  suppressOneContact,
  suppressWholeDomain,
} from './service.ts';

const actorOf = (call: { workspaceId: number; caller: Caller }): Actor => ({
  workspaceId: call.workspaceId,
  email: call.caller.email,
});

export function registerSuppressions(router: Router, db: Database): void {
  router.handle(suppressContact, (call) =>
    db.asTenant(call.workspaceId, (tx) => suppressOneContact(tx, actorOf(call), call.body.emailId)),
  );
  router.handle(suppressContacts, (call) =>
    db.asTenant(call.workspaceId, async (tx) => ({
      suppressed: await suppressManyContacts(tx, actorOf(call), call.body),
    })),
  );
  router.handle(suppressAddress, (call) =>
    db.asTenant(call.workspaceId, (tx) => suppressOneAddress(tx, actorOf(call), call.body)),
  );
  router.handle(suppressDomain, (call) =>
    db.asTenant(call.workspaceId, (tx) => suppressWholeDomain(tx, actorOf(call), call.body)),
  );
  router.handle(listEmailSuppressions, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => listAddresses(tx, workspaceId, query)),
  );
  router.handle(listDomainSuppressions, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => listDomains(tx, workspaceId, query)),
  );
  router.handle(suppressionSummary, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => summarise(tx, workspaceId)),
  );
  registerLifting(router, db);
}

function registerLifting(router: Router, db: Database): void {
  router.handle(liftEmailSuppression, (call) =>
    db.asTenant(call.workspaceId, (tx) =>
      liftOne(tx, actorOf(call), 'email', call.params.id, call.body.reason),
    ),
  );
  router.handle(liftDomainSuppression, (call) =>
    db.asTenant(call.workspaceId, (tx) =>
      liftOne(tx, actorOf(call), 'domain', call.params.id, call.body.reason),
    ),
  );
  router.handle(liftEmailSuppressions, (call) =>
    db.asTenant(call.workspaceId, (tx) => liftMany(tx, actorOf(call), 'email', call.body)),
  );
  router.handle(liftDomainSuppressions, (call) =>
    db.asTenant(call.workspaceId, (tx) => liftMany(tx, actorOf(call), 'domain', call.body)),
  );
  router.handle(undoLifting, (call) =>
    db.asTenant(call.workspaceId, (tx) => undoLiftingOf(tx, actorOf(call), call.params.id)),
  );
}
