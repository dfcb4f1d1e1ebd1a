import type { ContactSelection } from '#features/contacts/contract.ts';
import { countSelected } from '#features/contacts/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import type { Tasks } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import type { Allowance } from '../rules.ts';
import { createUses } from './allowance.ts';
import * as corrections from './corrections.ts';
import * as history from './history.ts';
import type { MailServers } from './mail-servers.ts';
import * as review from './review.ts';
import * as service from './service.ts';

export interface VerificationParts {
  db: Database;
  tasks: Tasks;
  mailServers: MailServers;
  /** Single addresses that one person may have verified. */
  allowance: Allowance;
}

/** The kind under which a run stands among the tasks. */
export const runKind = 'verification.run';

export function registerVerification(router: Router, parts: VerificationParts): void {
  registerSingle(router, parts);
  registerRuns(router, parts);
  registerCorrections(router, parts);
  registerReview(router, parts.db);
  registerHistory(router, parts.db);
}

function registerSingle(router: Router, parts: VerificationParts): void {
  const { db } = parts;
  const uses = createUses(parts.allowance);
  router.handle(contract.verifyAddress, async ({ workspaceId, caller, body }) => {
    uses.refuseEarly(workspaceId, caller.userId);
    return service.verifyOne({ ...parts, uses }, { workspaceId, userId: caller.userId }, body.email);
  });
  router.handle(contract.contactEvidence, ({ workspaceId, params }) =>
    db.asTenant(workspaceId, (tx) => service.explainContact(tx, workspaceId, params.id)),
  );
}

function registerRuns(router: Router, { db, tasks }: VerificationParts): void {
  router.handle(contract.startVerification, async (call) => {
    const { workspaceId, body, caller } = call;
    const selection: ContactSelection | null = body.selection ?? null;
    const input = await db.asTenant(workspaceId, async (tx) => ({
      selection,
      dns: body.dns ?? (await readSettings(tx, workspaceId)).emailValidation.checkMXRecords,
      contacts: await countSelected(tx, workspaceId, selection ?? { filter: {} }),
    }));
    const task = await tasks.start(workspaceId, runKind, input, caller);
    return (await tasks.answer(call, workspaceId, task)) as { taskId: number };
  });
  router.handle(contract.verificationSummary, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => service.summarise(tx, workspaceId)),
  );
  router.handle(contract.listVerifications, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => service.listRuns(tx, workspaceId, query)),
  );
  router.handle(contract.getVerification, ({ workspaceId, params }) =>
    db.asTenant(workspaceId, (tx) => service.findRun(tx, workspaceId, params.id)),
  );
}

function registerCorrections(router: Router, parts: VerificationParts): void {
  const { tasks } = parts;
  router.handle(contract.acceptCorrections, async (call) => {
    const { workspaceId, caller, body } = call;
    const done = await corrections.acceptCorrections(parts, workspaceId, caller, body);
    return 'corrected' in done ? done : tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
  router.handle(contract.undoCorrection, async (call) => {
    const { workspaceId, caller, params } = call;
    const done = await corrections.undoCorrection(parts, workspaceId, caller, params.id);
    return 'restored' in done ? done : tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
}

function registerHistory(router: Router, db: Database): void {
  router.handle(contract.listPastDecisions, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => history.listPastDecisions(tx, workspaceId, query)),
  );
  router.handle(contract.listCorrectedContacts, ({ workspaceId, params, query }) =>
    db.asTenant(workspaceId, (tx) => history.listCorrectedContacts(tx, workspaceId, params.id, query)),
  );
}

const actorOf = (workspaceId: number, caller: Caller) => ({ workspaceId, email: caller.email });

function registerReview(router: Router, db: Database): void {
  router.handle(contract.listCorrections, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => review.listPatterns(tx, workspaceId, query)),
  );
  router.handle(contract.listPatternContacts, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => review.listPatternContacts(tx, workspaceId, query)),
  );
  router.handle(contract.dismissCorrections, ({ workspaceId, caller, body }) =>
    db.asTenant(workspaceId, (tx) => review.dismissCorrections(tx, actorOf(workspaceId, caller), body)),
  );
  router.handle(contract.listDuplicates, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => review.listDuplicates(tx, workspaceId, query)),
  );
  router.handle(contract.mergeContacts, ({ workspaceId, caller, body }) =>
    db.asTenant(workspaceId, (tx) => review.mergeContacts(tx, actorOf(workspaceId, caller), body)),
  );
  router.handle(contract.undoMerge, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, (tx) => review.undoMerge(tx, actorOf(workspaceId, caller), params.id)),
  );
  router.handle(contract.dismissDuplicates, ({ workspaceId, caller, body }) =>
    db.asTenant(workspaceId, (tx) =>
      review.dismissDuplicates(tx, actorOf(workspaceId, caller), body.mailbox),
    ),
  );
}
