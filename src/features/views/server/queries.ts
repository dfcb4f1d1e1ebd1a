import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { ViewScreen, ViewState } from '../contract.ts';

export interface ViewRow {
  id: number;
  screen: ViewScreen;
  name: string;
  shared: boolean;
  ownerId: number;
  madeBy: string | null;
  /** As some version of the product wrote it. */
  state: unknown;
  createdAt: Date;
  updatedAt: Date;
  /** Who changed it last, if anybody did. */
  updatedById: number | null;
  updatedBy: string | null;
}

const columns = sql`
  v.id, v.screen, v.name, v.shared, v.owner_id as "ownerId", u.name as "madeBy", v.state, v.created_at as "createdAt",
  v.updated_at as "updatedAt", v.updated_by as "updatedById", changer.name as "updatedBy"`;
const withOwner = sql`
  saved_views v left join users u on u.id = v.owner_id left join users changer on changer.id = v.updated_by`;
/** The person's own views, and shared ones. */
const seenBy = (workspaceId: number, userId: number) =>
  sql`v.workspace_id = ${workspaceId} and (v.shared or v.owner_id = ${userId})`;

/** The views of a screen that a person sees, A to Z. */
export async function selectViews(
  tx: TenantTx,
  workspaceId: number,
  userId: number,
  screen: ViewScreen,
): Promise<ViewRow[]> {
  const { rows } = await sql<ViewRow>`
    select ${columns} from ${withOwner}
    where ${seenBy(workspaceId, userId)} and v.screen = ${screen} and v.deleted_at is null
    order by lower(v.name), v.id`.execute(tx);
  return rows;
}

/** One view that a person sees, deleted or not. */
export async function selectView(
  tx: TenantTx,
  workspaceId: number,
  userId: number,
  id: number,
  isDeleted = false,
): Promise<ViewRow | undefined> {
  const { rows } = await sql<ViewRow>`
    select ${columns} from ${withOwner}
    where ${seenBy(workspaceId, userId)} and v.id = ${id} and (v.deleted_at is not null) = ${isDeleted}`.execute(
    tx,
  );
  return rows[0];
}

/** The views that a person sees and that ask for a list or a tag, A to Z. */
export async function selectUses(
  tx: TenantTx,
  workspaceId: number,
  { condition, id }: { condition: string; id: number },
  userId: number,
): Promise<{ kind: string; id: number; name: string }[]> {
  const { rows } = await sql<{ kind: string; id: number; name: string }>`
    select 'view' as kind, v.id, v.name from saved_views v
    where ${seenBy(workspaceId, userId)} and v.deleted_at is null
      and v.state -> ${condition}::text @> ${JSON.stringify([id])}::jsonb
    order by lower(v.name), v.id`.execute(tx);
  return rows;
}

/** Locks a view until the transaction ends, so that two changes happen one after the other. */
export async function lockView(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`select 1 from saved_views where workspace_id = ${workspaceId} and id = ${id} for update`.execute(
    tx,
  );
}

/** How many existing views a person has made on a screen. */
export async function countOwn(
  tx: TenantTx,
  workspaceId: number,
  ownerId: number,
  screen: ViewScreen,
): Promise<number> {
  const { rows } = await sql<{ views: number }>`
    select count(*) as views from saved_views
    where workspace_id = ${workspaceId} and owner_id = ${ownerId} and screen = ${screen} and deleted_at is null`.execute(
    tx,
  );
  return rows[0]?.views ?? 0;
}

export interface NewView {
  screen: ViewScreen;
  ownerId: number;
  name: string;
  shared: boolean;
  state: ViewState;
}

/** Stores a new view and answers its id. Fails with 23505 when the name is taken. */
export async function insertView(tx: TenantTx, workspaceId: number, view: NewView): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into saved_views (workspace_id, screen, owner_id, name, shared, state)
    values (${workspaceId}, ${view.screen}, ${view.ownerId}, ${view.name}, ${view.shared},
            ${JSON.stringify(view.state)}::jsonb)
    returning id`.execute(tx);
  const row = rows[0];
  if (!row) throw new Error('a view was kept without an answer');
  return row.id;
}

/** Rewrites a view. Fails with 23505 when the name is taken. */
export async function updateView(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  view: Pick<NewView, 'name' | 'shared'> & Pick<ViewRow, 'state'>,
  changedBy: number,
): Promise<void> {
  await sql`
    update saved_views
    set name = ${view.name}, shared = ${view.shared}, state = ${JSON.stringify(view.state)}::jsonb,
      updated_at = clock_timestamp(), updated_by = ${changedBy}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Marks a view as deleted, so that it can be restored. */
export async function markDeleted(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`
    update saved_views set deleted_at = now() where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Restores a deleted view. Fails with 23505 when its name was given to another meanwhile. */
export async function unmarkDeleted(tx: TenantTx, workspaceId: number, id: number): Promise<void> {
  await sql`
    update saved_views set deleted_at = null where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Removes views that were deleted more than a day ago. */
export async function forgetDeleted(tx: TenantTx, workspaceId: number): Promise<void> {
  await sql`
    delete from saved_views
    where workspace_id = ${workspaceId} and deleted_at < now() - interval '1 day'`.execute(tx);
}

export interface ChoicesRow {
  defaultId: number | null;
  columns: string[] | null;
}

/** What a person chose for a screen. A default view they can no longer see counts as none. */
export async function selectChoices(
  tx: TenantTx,
  workspaceId: number,
  userId: number,
  screen: ViewScreen,
): Promise<ChoicesRow> {
  const { rows } = await sql<ChoicesRow>`
    select v.id as "defaultId", c.columns
    from view_choices c
    left join saved_views v on v.workspace_id = c.workspace_id and v.id = c.default_view_id
      and v.deleted_at is null and (v.shared or v.owner_id = c.user_id)
    where c.workspace_id = ${workspaceId} and c.user_id = ${userId} and c.screen = ${screen}`.execute(tx);
  return rows[0] ?? { defaultId: null, columns: null };
}

/**
 * Locks what a person chose for a screen until the transaction ends, so that their changes happen
 * one after the other.
 */
export async function lockChoices(
  tx: TenantTx,
  workspaceId: number,
  userId: number,
  screen: ViewScreen,
): Promise<void> {
  await sql`
    insert into view_choices (workspace_id, user_id, screen) values (${workspaceId}, ${userId}, ${screen})
    on conflict do nothing`.execute(tx);
  await sql`
    select 1 from view_choices
    where workspace_id = ${workspaceId} and user_id = ${userId} and screen = ${screen} for update`.execute(
    tx,
  );
}

/** Which view opens first for a person. Needs a lock on their choices. */
export async function updateDefault(
  tx: TenantTx,
  workspaceId: number,
  userId: number,
  screen: ViewScreen,
  viewId: number | null,
): Promise<void> {
  await sql`
    update view_choices set default_view_id = ${viewId}
    where workspace_id = ${workspaceId} and user_id = ${userId} and screen = ${screen}`.execute(tx);
}

/** Which columns a person usually sees. Needs a lock on their choices. */
export async function updateColumns(
  tx: TenantTx,
  workspaceId: number,
  userId: number,
  screen: ViewScreen,
  keys: string[] | null,
): Promise<void> {
  await sql`
    update view_choices set columns = ${keys}::text[]
    where workspace_id = ${workspaceId} and user_id = ${userId} and screen = ${screen}`.execute(tx);
}
