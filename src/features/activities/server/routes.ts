import { answersCall, type Database, type TenantTx } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import {
  activityFilters,
  changeNotificationChoices,
  getNotificationChoices,
  listActivities,
  listNotifications,
  readNotifications,
} from '../contract.ts';
import {
  markSeen,
  selectActivities,
  selectChoices,
  selectFilters,
  selectNotifications,
  upsertChoices,
} from './queries.ts';

const underTheBell = 30;

export function registerActivities(router: Router, db: Database): void {
  router.handle(listActivities, ({ workspaceId, query }) =>
    db.asTenant(workspaceId, (tx) => selectActivities(tx, workspaceId, query)),
  );
  router.handle(activityFilters, ({ workspaceId }) =>
    db.asTenant(workspaceId, (tx) => selectFilters(tx, workspaceId)),
  );
  router.handle(listNotifications, async ({ workspaceId, caller }) => {
    const items = await db.asTenant(workspaceId, (tx) =>
      selectNotifications(tx, workspaceId, caller.userId, underTheBell),
    );
    return { items, unread: items.filter(({ isNew }) => isNew).length };
  });
  router.handle(readNotifications, ({ workspaceId, caller }) => {
    const read = async (tx: TenantTx) => {
      await markSeen(tx, workspaceId, caller.userId);
      return { unread: 0 };
    };
    return db.asTenant(workspaceId, read, answersCall);
  });
  router.handle(getNotificationChoices, ({ caller }) => selectChoices(db.system, Number(caller.userId)));
  router.handle(changeNotificationChoices, ({ caller, body }) =>
    upsertChoices(db.system, Number(caller.userId), body),
  );
}
