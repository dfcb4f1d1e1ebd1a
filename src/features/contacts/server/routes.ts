import type { FastifyReply } from 'fastify';
import type { Task } from '#features/tasks/contract.ts';
import type { Database } from '#platform/server/database.ts';
import { type Call, goneSignal, type Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import * as bin from './bin.ts';
import { checkExport, type ExportFile } from './export.ts';
import { listPage } from './list.ts';
import * as removals from './removals.ts';
import { restore } from './restores.ts';
import * as service from './service.ts';
import { takeTurns } from './turns.ts';
import { readUkView } from './uk-view.ts';

type ContactsContext = removals.RemovalsContext & { whyDead?: service.WhyDead | undefined };

export function registerContacts(router: Router, context: ContactsContext): void {
  registerReading(router, context.db);
  registerChanges(router, context);
  registerBin(router, context.db);
  registerRemovals(router, context);
}

/** Answers with an export as a file to save. */
export function sendExport(reply: FastifyReply, file: ExportFile): FastifyReply {
  return reply
    .header('content-type', file.contentType)
    .header('content-disposition', `attachment; filename="${file.fileName}"`)
    .header('cache-control', 'no-store')
    .header('x-contacts', file.contacts)
    .send(file.bytes);
}

/** Answers a call with the contacts that its query asks for as a file; maintenance has the same call under its own name. */
export async function answerExport(
  db: Database,
  call: Pick<Call<typeof contract.exportContacts>, 'workspaceId' | 'caller' | 'query' | 'reply'>,
): Promise<unknown> {
  const { ids, format, include, ...filter } = call.query;
  const actor = { workspaceId: call.workspaceId, email: call.caller.email };
  const selection = ids ? { ids } : { filter };
  return sendExport(call.reply, await service.exportSelected(db, actor, selection, { format, include }));
}

/** A count may read all contacts: more at once would keep lists and searches waiting for a connection. */
const mostCounts = 2;

function registerReading(router: Router, db: Database): void {
  router.handle(contract.listContacts, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => listPage(tx, workspaceId, query)),
  );
  const inTurn = takeTurns(mostCounts);
  router.handle(contract.countSelection, async ({ workspaceId, body, reply }) => {
    const signal = goneSignal(reply);
    const count = () =>
      db.asTenant(workspaceId, (tx) => removals.countSelected(tx, workspaceId, body), { signal });
    return { count: await inTurn(count, signal) };
  });
  router.handle(contract.exportContacts, (call) => answerExport(db, call));
  router.handle(contract.checkExport, ({ workspaceId, query: { format, include, ...filter } }) =>
    checkExport(db, workspaceId, { filter }, { format, include, now: new Date() }),
  );
  router.handle(contract.exportSelection, async ({ workspaceId, caller, query, body, reply }) => {
    const actor = { workspaceId, email: caller.email };
    return sendExport(reply, await service.exportSelected(db, actor, body, query));
  });
  router.handle(contract.listSources, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => service.listSources(tx, workspaceId)),
  );
  router.handle(contract.listFields, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => service.listFields(tx, workspaceId)),
  );
  router.handle(contract.getContact, ({ workspaceId, params }) =>
    db.asTenant(workspaceId, (tx) => service.findContact(tx, workspaceId, params.id)),
  );
  router.handle(contract.getUkView, ({ workspaceId, request }) =>
    readUkView(db, workspaceId, (error) => request.log.warn({ err: error }, 'UK figures were not made')),
  );
  router.handle(contract.getStats, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => service.readStats(tx, workspaceId)),
  );
}

function registerChanges(router: Router, { db, judge, whyDead }: ContactsContext): void {
  router.handle(contract.addContact, async ({ workspaceId, caller, body }) => {
    const actor = { workspaceId, email: caller.email };
    // Before the transaction, which would wait for name servers with all that it holds.
    if (whyDead) await service.refuseDeadDomain(db, workspaceId, body.email, whyDead);
    return db.asTenant(workspaceId, (tx) => service.addOne(tx, actor, body, judge));
  });
  router.handle(contract.deleteContact, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, (tx) => service.removeOne(tx, { workspaceId, email: caller.email }, params.id)),
  );
}

function registerRemovals(router: Router, context: removals.RemovalsContext): void {
  const { db, tasks } = context;
  router.handle(contract.deleteContacts, async (call) => {
    const { workspaceId, caller, body } = call;
    const done = await removals.removeSelected(context, workspaceId, caller, body);
    return 'removed' in done ? done : tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
  router.handle(contract.cleanContacts, async (call) => {
    const { workspaceId, caller, query } = call;
    if (query.preview) return db.asTenant(workspaceId, (tx) => removals.previewClean(tx, workspaceId));
    const done = await removals.clean(context, workspaceId, caller);
    return 'removed' in done ? done : tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
  router.handle(contract.restoreRemoval, async (call) => {
    const { workspaceId, caller, params } = call;
    const done = await restore(context, workspaceId, caller, params.id);
    return 'restored' in done ? done : tasks.answer<Exclude<typeof done, Task>>(call, workspaceId, done);
  });
}

function registerBin(router: Router, db: Database): void {
  router.handle(contract.listRemovals, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => bin.listBin(tx, workspaceId, query)),
  );
  router.handle(contract.listRemoved, ({ workspaceId, params, query }) =>
    db.asTenant(workspaceId, (tx) => bin.listRemovedOf(tx, workspaceId, params.id, query)),
  );
  router.handle(contract.removalReceipt, async ({ workspaceId, params, reply }) =>
    reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="removed-${params.id}.csv"`)
      .header('cache-control', 'no-store')
      .send(await bin.streamReceipt(db, workspaceId, params.id)),
  );
}
