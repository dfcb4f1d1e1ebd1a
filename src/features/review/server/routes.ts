import type { Bin } from '#features/bin/server/index.ts';
import type { Task } from '#features/tasks/contract.ts';
import { answersCall, type Database } from '#platform/server/database.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { acceptCorrections } from './accept-corrections.ts';
import type { CorrectionsContext } from './correction-work.ts';
import * as history from './history/history.ts';
import * as review from './review.ts';
import { undoCorrection } from './undo-correction.ts';

export interface ReviewOptions extends CorrectionsContext {
  bin: Bin;
}

/** All calls of a review. */
export function registerReview(router: Router, options: ReviewOptions): void {
  registerCorrections(router, options);
  registerDecisions(router, options);
  registerHistory(router, options.db);
}

function registerCorrections(router: Router, parts: ReviewOptions): void {
  const { tasks } = parts;
  router.handle(contract.acceptCorrections, async (call) => {
    const { workspaceId, caller, body } = call;
    const done = await acceptCorrections(parts, workspaceId, caller, body);
    return 'corrected' in done ? done : tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
  router.handle(contract.undoCorrection, async (call) => {
    const { workspaceId, caller, params } = call;
    const done = await undoCorrection(parts, workspaceId, caller, params.id);
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

function registerDecisions(router: Router, { db, bin, topics }: ReviewOptions): void {
  router.handle(contract.listCorrections, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => review.listPatterns(tx, workspaceId, query)),
  );
  router.handle(contract.listPatternContacts, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => review.listPatternContacts(tx, workspaceId, query)),
  );
  router.handle(contract.dismissCorrections, ({ workspaceId, caller, body }) =>
    db.asTenant(
      workspaceId,
      (tx) => review.dismissCorrections(tx, actorOf(workspaceId, caller), body),
      answersCall,
    ),
  );
  router.handle(contract.listDuplicates, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => review.listDuplicates(tx, workspaceId, query)),
  );
  router.handle(contract.mergeContacts, ({ workspaceId, caller, body }) =>
    db.asTenant(
      workspaceId,
      (tx) => review.mergeContacts({ bin, topics }, tx, actorOf(workspaceId, caller), body),
      answersCall,
    ),
  );
  router.handle(contract.undoMerge, ({ workspaceId, caller, params }) =>
    db.asTenant(
      workspaceId,
      (tx) => review.undoMerge(bin, tx, actorOf(workspaceId, caller), params.id),
      answersCall,
    ),
  );
  router.handle(contract.dismissDuplicates, ({ workspaceId, caller, body }) =>
    db.asTenant(
      workspaceId,
      (tx) => review.dismissDuplicates(tx, actorOf(workspaceId, caller), body.mailbox),
      answersCall,
    ),
  );
}
