import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { endPresence, keepPresence } from '../../contract/presence.ts';
import { writerOf } from '../writer.ts';
import { noteClosed, noteOpen } from './presence.ts';

export function registerPresence(router: Router, db: Database): void {
  router.handle(keepPresence, ({ workspaceId, caller, params, body }) =>
    db.asTenant(workspaceId, (tx) => noteOpen(tx, writerOf(workspaceId, caller), params, body.isHidden)),
  );
  router.handle(endPresence, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, async (tx) => ({
      closed: await noteClosed(tx, writerOf(workspaceId, caller), params),
    })),
  );
}
