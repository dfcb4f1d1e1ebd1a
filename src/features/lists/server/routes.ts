import {
  type Memberships,
  registerMembers,
  removeGroup,
  usesOf,
} from '#features/memberships/server/index.ts';
import { answersCall, type Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { changeList } from './change-list.ts';
import { createList } from './create-list.ts';
import { type DynamicLists, described } from './dynamic-lists.ts';
import { findList, presentList } from './find-list.ts';
import { listKind } from './list-kind.ts';
import { selectLists } from './queries.ts';
import { restoreList } from './restore-list.ts';

export function registerLists(
  router: Router,
  db: Database,
  memberships: Memberships,
  dynamic: DynamicLists,
): void {
  router.handle(contract.getLists, ({ workspaceId }) =>
    db
      .asTenant(workspaceId, (tx) => selectLists(tx, workspaceId))
      .then((lists) => {
        dynamic.countOldOnes(workspaceId, lists);
        return lists.map(presentList);
      }),
  );
  router.handle(contract.getList, ({ workspaceId, caller, params: { id } }) =>
    db.asTenant(workspaceId, async (tx) => ({
      ...(await described(dynamic, tx, workspaceId, await findList(tx, workspaceId, id))),
      usedBy: await usesOf(memberships, tx, { workspaceId, caller }, listKind, id),
    })),
  );
  router.handle(contract.createList, ({ workspaceId, caller: { email }, body }) =>
    db.asTenant(workspaceId, (tx) => createList(tx, { workspaceId, email }, body, dynamic), answersCall),
  );
  router.handle(contract.changeList, ({ workspaceId, caller: { email }, params, body }) =>
    db.asTenant(workspaceId, (tx) => changeList(tx, { workspaceId, email }, params.id, body, dynamic)),
  );
  router.handle(contract.deleteList, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, (tx) =>
      removeGroup(memberships, tx, { workspaceId, caller }, listKind, params.id),
    ),
  );
  router.handle(contract.restoreList, ({ workspaceId, caller: { email }, params }) =>
    db.asTenant(workspaceId, (tx) => restoreList(tx, { workspaceId, email }, params.id), answersCall),
  );
  const { addToList: add, removeFromList: remove } = contract.listCalls(memberships.audience.filters);
  registerMembers(router, memberships, listKind, { add, remove });
}
