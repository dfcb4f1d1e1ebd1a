import {
  type Memberships,
  registerMembers,
  removeGroup,
  usesOf,
} from '#features/memberships/server/index.ts';
import { answersCall, type Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { changeTag } from './change-tag.ts';
import { createTag } from './create-tag.ts';
import { findTag, presentTag } from './find-tag.ts';
import { selectTags } from './queries.ts';
import { restoreTag } from './restore-tag.ts';
import { tagKind } from './tag-kind.ts';

export function registerTags(router: Router, db: Database, memberships: Memberships): void {
  router.handle(contract.getTags, ({ workspaceId }) =>
    db.asTenant(workspaceId, async (tx) => (await selectTags(tx, workspaceId)).map(presentTag)),
  );
  router.handle(contract.getTag, ({ workspaceId, caller, params: { id } }) =>
    db.asTenant(workspaceId, async (tx) => ({
      ...(await findTag(tx, workspaceId, id)),
      usedBy: await usesOf(memberships, tx, { workspaceId, caller }, tagKind, id),
    })),
  );
  router.handle(contract.createTag, ({ workspaceId, caller: { email }, body }) =>
    db.asTenant(workspaceId, (tx) => createTag(tx, { workspaceId, email }, body), answersCall),
  );
  router.handle(contract.changeTag, ({ workspaceId, caller: { email }, params, body }) =>
    db.asTenant(workspaceId, (tx) => changeTag(tx, { workspaceId, email }, params.id, body)),
  );
  router.handle(contract.deleteTag, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, (tx) =>
      removeGroup(memberships, tx, { workspaceId, caller }, tagKind, params.id),
    ),
  );
  router.handle(contract.restoreTag, ({ workspaceId, caller: { email }, params }) =>
    db.asTenant(workspaceId, (tx) => restoreTag(tx, { workspaceId, email }, params.id), answersCall),
  );
  const { tagContacts: add, untagContacts: remove } = contract.tagCalls(memberships.audience.filters);
  registerMembers(router, memberships, tagKind, { add, remove });
}
