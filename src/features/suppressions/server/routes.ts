import type { Database } from '#platform/server/database.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import {
  liftDomainSuppression,
  liftEmailSuppression,
  listDomainSuppressions,
  listEmailSuppressions,
  suppressAddress,
  suppressContact,
  suppressContacts,
  suppressDomain,
} from '../contract.ts';
import {
  type Actor,
  liftAddress,
  liftDomain,
  listAddresses,
  listDomains,
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
  router.handle(liftEmailSuppression, (call) =>
    db.asTenant(call.workspaceId, async (tx) => {
      await liftAddress(tx, actorOf(call), call.params.id, call.body.reason);
      return { removed: 1 };
    }),
  );
  router.handle(liftDomainSuppression, (call) =>
    db.asTenant(call.workspaceId, async (tx) => {
      await liftDomain(tx, actorOf(call), call.params.id, call.body.reason);
      return { removed: 1 };
    }),
  );
}
