import { type RawBuilder, sql } from 'kysely';
import type { SystemDb } from '#platform/server/database.ts';
import type { Role } from '#platform/shared/contract.ts';

export interface UserRow {
  id: number;
  name: string;
  email: string;
  emailVerified: boolean;
  twoFactor: boolean;
  createdAt: Date;
  suspendedAt: Date | null;
  suspendedBy: string | null;
  suspensionReason: string | null;
  lastSeenAt: Date | null;
  sessions: number;
  workspaces: { id: number; name: string; role: Role }[];
}

const liveSessions = sql`expires_at > now()`;

const userColumns = sql`
  u.id, u.name, u.email, u.email_verified as "emailVerified", u.two_factor_enabled as "twoFactor",
  u.created_at as "createdAt", u.suspended_at as "suspendedAt", u.suspended_by as "suspendedBy",
  u.suspension_reason as "suspensionReason",
  greatest(
    (select max(m.last_seen_at) from members m where m.user_id = u.id),
    (select max(s.last_seen_at) from sessions s where s.user_id = u.id)
  ) as "lastSeenAt",
  (select count(*) from sessions s where s.user_id = u.id and ${liveSessions}) as sessions,
  coalesce((
    select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'role', m.role) order by m.id)
    from members m join workspaces w on w.id = m.workspace_id where m.user_id = u.id
  ), '[]') as workspaces`;

export interface UserFilter {
  search: string;
  status: 'active' | 'suspended' | undefined;
}

function matching({ search, status }: UserFilter): RawBuilder<unknown> {
  const named =
    search === ''
      ? sql`true`
      : sql`(u.name ilike contains_pattern(${search}) or u.email ilike contains_pattern(${search})
            or exists (
              select from members m join workspaces w on w.id = m.workspace_id
              where m.user_id = u.id and w.name ilike contains_pattern(${search})
            ))`;
  const standing =
    status === undefined
      ? sql`true`
      : status === 'suspended'
        ? sql`u.suspended_at is not null`
        : sql`u.suspended_at is null`;
  return sql`${named} and ${standing}`;
}

/** One page of the users whose name, address or workspace contains the text, newest first. */
export async function selectUsers(
  db: SystemDb,
  filter: UserFilter,
  page: { skip: number; take: number },
): Promise<UserRow[]> {
  // The page is chosen first, so that sessions and workspaces are looked up only for its users.
  const { rows } = await sql<UserRow>`
    select ${userColumns}
    from (
      select * from users u where ${matching(filter)} order by u.id desc offset ${page.skip} limit ${page.take}
    ) u
    order by u.id desc`.execute(db);
  return rows;
}

/** How many users match a filter. */
export async function countUsers(db: SystemDb, filter: UserFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from users u where ${matching(filter)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** One user as the administrator sees them. */
export async function selectUser(db: SystemDb, id: number): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`select ${userColumns} from users u where u.id = ${id}`.execute(db);
  return rows[0];
}

export interface UserFigures {
  users: number;
  newUsers: number;
  sessions: number;
}

/**
 * How many users there are, how many signed up since `monthStart`, and how many sessions are live.
 */
export async function selectUserFigures(db: SystemDb, monthStart: Date): Promise<UserFigures> {
  const { rows } = await sql<UserFigures>`
    select count(*) as users, count(*) filter (where created_at >= ${monthStart}) as "newUsers",
           (select count(*) from sessions where ${liveSessions}) as sessions
    from users`.execute(db);
  return rows[0] as UserFigures;
}

/** The names of these workspaces. */
export async function selectWorkspaceNames(
  db: SystemDb,
  ids: readonly number[],
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from workspaces where id = any (${[...ids]}::bigint[])`.execute(db);
  return rows;
}
