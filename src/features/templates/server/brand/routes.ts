import { answersCall, type Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../../contract.ts';
import { writerOf } from '../writer.ts';
import { applyBrand } from './apply-brand.ts';
import { forgetBlock, keepBlock, listBlocks, showBlock } from './blocks.ts';
import { changeBrand, showBrand } from './brand.ts';

export function registerBrand(router: Router, db: Database): void {
  router.handle(contract.getBrand, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => showBrand(tx, workspaceId)),
  );
  router.handle(contract.putBrand, ({ workspaceId, caller, body }) =>
    db.asTenant(workspaceId, (tx) => changeBrand(tx, writerOf(workspaceId, caller), body)),
  );
  router.handle(contract.applyBrand, ({ workspaceId, caller, body }) =>
    applyBrand(db, writerOf(workspaceId, caller), body.after),
  );
  router.handle(contract.listBlocks, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => listBlocks(tx, workspaceId)),
  );
  router.handle(contract.getBlock, ({ workspaceId, params }) =>
    db.asTenant(workspaceId, (tx) => showBlock(tx, workspaceId, params.id)),
  );
  router.handle(contract.keepBlock, ({ workspaceId, caller, body }) =>
    db.asTenant(workspaceId, (tx) => keepBlock(tx, writerOf(workspaceId, caller), body), answersCall),
  );
  router.handle(contract.forgetBlock, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, (tx) => forgetBlock(tx, writerOf(workspaceId, caller), params.id)),
  );
}
