import type { FastifyReply } from 'fastify';
import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { checkExport, type ExportFile } from './export.ts';
import * as service from './service.ts';

export function registerContacts(router: Router, db: Database): void {
  registerReading(router, db);
  registerChanges(router, db);
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

function registerReading(router: Router, db: Database): void {
  router.handle(contract.listContacts, ({ workspaceId, query }) => {
    const { page, limit, sort, order, ...filter } = query;
    const request = {
      sort,
      order: order ?? (sort === 'createdAt' ? ('desc' as const) : ('asc' as const)),
      offset: (page - 1) * limit,
      limit,
    };
    return db.asTenant(workspaceId, (tx) => service.listPage(tx, workspaceId, filter, request));
  });
  router.handle(contract.countSelection, async ({ workspaceId, body }) => ({
    count: await db.asTenant(workspaceId, (tx) => service.countSelected(tx, workspaceId, body)),
  }));
  router.handle(contract.exportContacts, async ({ workspaceId, caller, query, reply }) => {
    const { ids, format, ...filter } = query;
    const actor = { workspaceId, email: caller.email };
    return sendExport(reply, await service.exportSelected(db, actor, ids ? { ids } : { filter }, format));
  });
  router.handle(contract.checkExport, ({ workspaceId, query: { format, ...filter } }) =>
    checkExport(db, workspaceId, { filter }, { format, now: new Date() }),
  );
  router.handle(contract.exportSelection, async ({ workspaceId, caller, query, body, reply }) => {
    const actor = { workspaceId, email: caller.email };
    return sendExport(reply, await service.exportSelected(db, actor, body, query.format));
  });
  router.handle(contract.getContact, ({ workspaceId, params }) =>
    db.asTenant(workspaceId, (tx) => service.findContact(tx, workspaceId, params.id)),
  );
  router.handle(contract.getStats, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => service.readStats(tx, workspaceId)),
  );
}

function registerChanges(router: Router, db: Database): void {
  router.handle(contract.addContact, ({ workspaceId, caller, body }) =>
    db.asTenant(workspaceId, (tx) => service.addOne(tx, { workspaceId, email: caller.email }, body)),
  );
  router.handle(contract.deleteContact, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, (tx) => service.removeOne(tx, { workspaceId, email: caller.email }, params.id)),
  );
  router.handle(contract.deleteContacts, ({ workspaceId, caller, body }) =>
    db.asTenant(workspaceId, (tx) => service.removeSelected(tx, { workspaceId, email: caller.email }, body)),
  );
  router.handle(contract.cleanContacts, ({ workspaceId, caller, query }) =>
    db.asTenant(workspaceId, (tx) =>
      query.preview
        ? service.previewClean(tx, workspaceId)
        : service.clean(tx, { workspaceId, email: caller.email }),
    ),
  );
  router.handle(contract.restoreRemoval, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, (tx) => service.restore(tx, { workspaceId, email: caller.email }, params.id)),
  );
}
