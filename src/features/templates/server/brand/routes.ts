import { answersCall, type Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../../contract.ts';
import { writerOf } from '../writer.ts';
import { forgetBlock, keepBlock, listBlocks } from './blocks.ts';
import { changeBrand, showBrand } from './brand.ts';

export function registerBrand(router: Router, db: Database): void {
  router.handle(contract.getBrand, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => showBrand(tx, workspaceId)),
  );
  router.handle(contract.putBrand, ({ workspaceId, caller, body }) =>
    db.asTenant(workspaceId, (tx) => changeBrand(tx, writerOf(workspaceId, caller), body)),
  );
  router.handle(contract.listBlocks, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => listBlocks(tx, workspaceId)),
  );
  router.handle(contract.keepBlock, ({ workspaceId, caller, body }) =>
    db.asTenant(workspaceId, (tx) => keepBlock(tx, writerOf(workspaceId, caller), body), answersCall),
  );
  router.handle(contract.forgetBlock, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, (tx) => forgetBlock(tx, writerOf(workspaceId, caller), params.id)),
  );
}
