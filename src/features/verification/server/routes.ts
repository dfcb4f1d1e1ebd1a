import { everybody } from '#features/audience/rules/tree.ts';
import type { Audience } from '#features/audience/server/index.ts';
import { readSettings } from '#features/settings/server/index.ts';
import type { Tasks } from '#features/tasks/server/index.ts';
import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import type { Allowance } from '../rules.ts';
import { createUses } from './allowance.ts';
import { explainContact, verifyOne } from './judging/judge-address.ts';
import type { MailServers } from './mail/mail-servers.ts';
import { findRun, listRuns, summarise } from './runs.ts';

export interface VerificationParts {
  db: Database;
  tasks: Tasks;
  audience: Audience;
  mailServers: MailServers;
  /** Single addresses that one person may have verified. */
  allowance: Allowance;
}

/** The kind of a run among the tasks. */
export const runKind = 'verification.run';

export function registerVerification(router: Router, parts: VerificationParts): void {
  registerSingle(router, parts);
  registerRuns(router, parts);
}

function registerSingle(router: Router, parts: VerificationParts): void {
  const { db } = parts;
  const uses = createUses(parts.allowance);
  router.handle(contract.verifyAddress, async ({ workspaceId, caller, body }) => {
    uses.refuseEarly(workspaceId, caller.userId);
    return verifyOne({ ...parts, uses }, { workspaceId, userId: caller.userId }, body.email);
  });
  router.handle(contract.contactEvidence, ({ workspaceId, params }) =>
    db.asTenant(workspaceId, (tx) => explainContact(tx, workspaceId, params.id)),
  );
}

function registerRuns(router: Router, { db, tasks, audience }: VerificationParts): void {
  const { startVerification } = contract.verificationCalls(audience.filters);
  router.handle(startVerification, async (call) => {
    const { workspaceId, body, caller } = call;
    const tree = body.selection ? audience.of(body.selection) : everybody;
    const input = await db.asTenant(workspaceId, async (tx) => ({
      audience: body.selection ? tree : null,
      dns: body.dns ?? (await readSettings(tx, workspaceId)).emailValidation.checkMXRecords,
      contacts: await audience.count(tx, workspaceId, tree),
    }));
    const task = await tasks.start(workspaceId, runKind, input, caller);
    return (await tasks.answer(call, workspaceId, task)) as { taskId: number };
  });
  router.handle(contract.verificationSummary, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => summarise(tx, workspaceId)),
  );
  router.handle(contract.listVerifications, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => listRuns(tx, workspaceId, query)),
  );
  router.handle(contract.getVerification, ({ workspaceId, params }) =>
    db.asTenant(workspaceId, (tx) => findRun(tx, workspaceId, params.id)),
  );
}
