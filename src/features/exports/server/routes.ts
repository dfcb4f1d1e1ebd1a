import type { FastifyReply } from 'fastify';
import type { Call, Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { checkExport, type ExportFile, type ExportsContext } from './export.ts';
import { exportSelected } from './export-selected.ts';

/** Answers with an export as a file to save. */
function sendExport(reply: FastifyReply, file: ExportFile): FastifyReply {
  return reply
    .header('content-type', file.contentType)
    .header('content-disposition', `attachment; filename="${file.fileName}"`)
    .header('cache-control', 'no-store')
    .header('x-contacts', file.contacts)
    .send(file.bytes);
}

/**
 * Answers a call with the contacts that its query asks for, as a file. Maintenance has the same
 * call under its own name.
 */
export async function answerExport(
  context: ExportsContext,
  call: Pick<Call<typeof contract.exportContacts>, 'workspaceId' | 'caller' | 'query' | 'reply'>,
): Promise<unknown> {
  const { ids, format, include, ...filter } = call.query;
  const actor = { workspaceId: call.workspaceId, email: call.caller.email };
  const selection = ids ? { ids } : { filter };
  return sendExport(call.reply, await exportSelected(context, actor, selection, { format, include }));
}

export function registerExports(router: Router, context: ExportsContext): void {
  const calls = contract.exportCalls(context.audience.filters);
  router.handle(calls.exportContacts, (call) => answerExport(context, call));
  router.handle(calls.checkExport, ({ workspaceId, query: { format, include, ...filter } }) =>
    checkExport(context, workspaceId, { filter }, { format, include, now: new Date() }),
  );
  router.handle(calls.exportSelection, async ({ workspaceId, caller, query, body, reply }) => {
    const actor = { workspaceId, email: caller.email };
    return sendExport(reply, await exportSelected(context, actor, body, query));
  });
}
