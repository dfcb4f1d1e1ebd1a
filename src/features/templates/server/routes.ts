import type { Mailer } from '#features/mail/server/index.ts';
import { answersCall, type Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { registerBrand } from './brand/routes.ts';
import { changeTemplate } from './change-template.ts';
import { createTemplate } from './create-template.ts';
import { deleteTemplate, restoreTemplate } from './delete-template.ts';
import { duplicateTemplate } from './duplicate-template.ts';
import { listTemplateFields } from './fields/list-fields.ts';
import { findTemplate } from './find-template.ts';
import { importHtml } from './import-html.ts';
import { registerZip, type ZipParts } from './import-zip/routes.ts';
import { listAll } from './list-templates.ts';
import { registerPresence } from './presence/routes.ts';
import { listPresets } from './presets/list-presets.ts';
import { previewTemplate } from './preview-template.ts';
import { showTemplate } from './show-template.ts';
import { switchMode } from './switch-mode.ts';
import { sendTest } from './test-send/send-test.ts';
import { latestVersion, listVersions, restoreVersion } from './versions.ts';
import { writerOf } from './writer.ts';

export function registerTemplates(router: Router, db: Database, mail: Mailer, zips: ZipParts): void {
  router.handle(contract.listTemplates, ({ workspaceId, query }) => listAll(db, workspaceId, query));
  router.handle(contract.createTemplate, ({ workspaceId, caller, body }) =>
    createTemplate(db, writerOf(workspaceId, caller), body),
  );
  router.handle(contract.importHtml, ({ workspaceId, body }) => importHtml(workspaceId, body));
  router.handle(contract.switchMode, ({ workspaceId, body }) => switchMode(db, workspaceId, body));
  router.handle(contract.listTemplateFields, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => listTemplateFields(tx, workspaceId)),
  );
  router.handle(contract.listTemplatePresets, async ({ workspaceId }) => ({
    items: await listPresets(db, workspaceId),
  }));
  router.handle(contract.sendTest, (call) => sendTest(db, mail, call));
  router.handle(contract.getTemplate, ({ workspaceId, params }) =>
    db.asTenant(workspaceId, (tx) => findTemplate(tx, workspaceId, params.id)),
  );
  router.handle(contract.changeTemplate, ({ workspaceId, caller, params, body }) =>
    changeTemplate(db, writerOf(workspaceId, caller), params.id, body),
  );
  router.handle(contract.deleteTemplate, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, (tx) => deleteTemplate(tx, writerOf(workspaceId, caller), params.id)),
  );
  router.handle(contract.restoreTemplate, ({ workspaceId, caller, params }) =>
    db.asTenant(
      workspaceId,
      (tx) => restoreTemplate(tx, writerOf(workspaceId, caller), params.id),
      answersCall,
    ),
  );
  router.handle(contract.duplicateTemplate, ({ workspaceId, caller, params }) =>
    db.asTenant(
      workspaceId,
      (tx) => duplicateTemplate(tx, writerOf(workspaceId, caller), params.id),
      answersCall,
    ),
  );
  registerVersions(router, db);
  registerPresence(router, db);
  registerZip(router, zips);
  registerBrand(router, db);
}

function registerVersions(router: Router, db: Database): void {
  router.handle(contract.listTemplateVersions, ({ workspaceId, params }) =>
    db.asTenant(workspaceId, (tx) => listVersions(tx, workspaceId, params.id)),
  );
  router.handle(contract.latestTemplateVersion, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, (tx) => latestVersion(tx, writerOf(workspaceId, caller), params.id)),
  );
  router.handle(contract.getTemplateVersion, ({ workspaceId, params: { id, version } }) =>
    db.asTenant(workspaceId, (tx) => findTemplate(tx, workspaceId, id, version)),
  );
  router.handle(contract.restoreTemplateVersion, ({ workspaceId, caller, params, body }) =>
    db.asTenant(
      workspaceId,
      (tx) => restoreVersion(tx, writerOf(workspaceId, caller), params, body.version),
      answersCall,
    ),
  );
  router.handle(contract.previewTemplate, ({ workspaceId, body, caller }) =>
    previewTemplate(db, workspaceId, body, caller),
  );
  router.handle(contract.showTemplate, (call) => showTemplate(db, call));
}
