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
  const bell = async (tx: TenantTx, workspaceId: number, userId: string) => {
    const items = await selectNotifications(tx, workspaceId, userId, underTheBell);
    return { items, unread: items.filter(({ isNew }) => isNew).length };
  };
  router.handle(listNotifications, ({ workspaceId, caller }) =>
    db.asTenant(workspaceId, (tx) => bell(tx, workspaceId, caller.userId)),
  );
  router.handle(readNotifications, ({ workspaceId, caller, body }) => {
    const read = async (tx: TenantTx) => {
      await markSeen(tx, workspaceId, caller.userId, body.until);
      const { unread } = await bell(tx, workspaceId, caller.userId);
      return { unread };
    };
    return db.asTenant(workspaceId, read, answersCall);
  });
  router.handle(getNotificationChoices, ({ caller }) => selectChoices(db.system, Number(caller.userId)));
  router.handle(changeNotificationChoices, ({ caller, body }) =>
    upsertChoices(db.system, Number(caller.userId), body),
  );
}
