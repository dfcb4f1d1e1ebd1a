import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { changeSettings, getSettings } from '../contract.ts';
import { applySettingsChange } from './apply-settings-change.ts';
import { readSettings } from './read-settings.ts';

export function registerSettings(router: Router, db: Database): void {
  router.handle(getSettings, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => readSettings(tx, workspaceId)),
  );
  router.handle(changeSettings, ({ workspaceId, body, caller }) =>
    db.asTenant(workspaceId, (tx) => applySettingsChange(tx, workspaceId, body, caller.email)),
  );
}
