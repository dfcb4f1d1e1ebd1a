import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import { mayAs, type ResponseOf, type Role } from '#platform/shared/contract.ts';
import { hiddenSilentSeconds, type keepPresence, silentSeconds } from '../../contract/presence.ts';
import { latestVersion } from '../versions.ts';
import type { Writer } from '../writer.ts';

/** A window of a browser in which a template is open. */
export interface OpenWindow {
  id: number;
  window: string;
}

/**
 * Notes that a window has a template open, and answers who else has. Throws `not_found` for a
 * template that is not there.
 */
export async function noteOpen(
  tx: TenantTx,
  writer: Writer,
  open: OpenWindow,
  isHidden: boolean,
): Promise<ResponseOf<typeof keepPresence>> {
  const latest = await latestVersion(tx, writer, open.id);
  await upsertWindow(tx, writer, open, isHidden);
  await deleteSilent(tx, writer);
  const people = await selectOpen(tx, writer, open);
  const isYou = ({ userId }: OpenRow) => userId === writer.userId;
  return {
    people: people
      .filter((one) => !isYou(one))
      .slice(0, mostPeople)
      .map(({ role, windows: _, ...person }) => ({ ...person, mayWrite: mayAs(role, 'editor') })),
    ownWindows: people.find(isYou)?.windows ?? 0,
    latest,
  };
}

/** More than anybody can tell apart. */
const mostPeople = 50;

/** Says that a window is there. The database's clock counts, because there are several servers. */
async function upsertWindow(
  tx: TenantTx,
  { workspaceId, userId }: Writer,
  { id, window }: OpenWindow,
  isHidden: boolean,
): Promise<void> {
  const seconds = isHidden ? hiddenSilentSeconds : silentSeconds;
  await sql`
    insert into template_presence (workspace_id, template_id, user_id, window_id, is_hidden, expires_at)
    values (${workspaceId}, ${id}, ${userId}, ${window}, ${isHidden},
      clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (workspace_id, template_id, user_id, window_id)
    do update set is_hidden = excluded.is_hidden, expires_at = excluded.expires_at`.execute(tx);
}

interface OpenRow {
  userId: number;
  name: string;
  role: Role;
  isHidden: boolean;
  windows: number;
}

/**
 * Who has a template open, apart from this window. Somebody who is no member any more, or whose
 * account is closed, is not there, whatever their browser says.
 */
async function selectOpen(
  tx: TenantTx,
  { workspaceId, userId }: Writer,
  { id, window }: OpenWindow,
): Promise<OpenRow[]> {
  const { rows } = await sql<OpenRow>`
    select u.id as "userId", coalesce(nullif(u.name, ''), u.email) as name, m.role,
      bool_and(p.is_hidden) as "isHidden", count(*) as windows
    from template_presence p
    join members m on m.workspace_id = p.workspace_id and m.user_id = p.user_id
    join users u on u.id = p.user_id and u.suspended_at is null
    where p.workspace_id = ${workspaceId} and p.template_id = ${id} and p.expires_at > clock_timestamp()
      and not (p.user_id = ${userId} and p.window_id = ${window})
    group by u.id, u.name, u.email, m.role
    order by name, u.id`.execute(tx);
  return rows;
}

/** Forgets a person's windows that are silent. Those that somebody else forgets are passed over. */
async function deleteSilent(tx: TenantTx, { workspaceId, userId }: Writer): Promise<void> {
  await sql`
    delete from template_presence where (workspace_id, template_id, user_id, window_id) in (
      select workspace_id, template_id, user_id, window_id from template_presence
      where workspace_id = ${workspaceId} and user_id = ${userId} and expires_at <= clock_timestamp()
      for update skip locked)`.execute(tx);
}

/** Notes that a window has closed a template. Answers whether it had it open. */
export async function noteClosed(
  tx: TenantTx,
  { workspaceId, userId }: Writer,
  { id, window }: OpenWindow,
): Promise<boolean> {
  const { rows } = await sql`
    delete from template_presence
    where workspace_id = ${workspaceId} and template_id = ${id} and user_id = ${userId} and window_id = ${window}
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** Forgets every window of a workspace that is silent. */
export async function forgetSilent(tx: TenantTx, workspaceId: number): Promise<void> {
  await sql`
    delete from template_presence
    where workspace_id = ${workspaceId} and expires_at < clock_timestamp() - interval '1 hour'`.execute(tx);
}
