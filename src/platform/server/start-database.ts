import pg from 'pg';
import type { Config } from './config.ts';
import type { DiskSpace } from './disk/disk-space.ts';
import { appRole, findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import type { Log } from './logging.ts';

export interface RunningDatabase {
  /** Connection string of the role that owns the tables and migrates. */
  ownerUrl: string;
  /** Connection string that the product works with. */
  appUrl: string;
  /**
   * The role to take on each of the product's connections, so that row-level security binds. Absent
   * when the URL already names that role.
   */
  appRole?: string;
  /** Stops the embedded server cleanly. Does nothing to a server that is not ours. */
  stop(): Promise<void>;
  /** Stops the embedded server at once. The next start recovers. */
  stopNow(): void;
}

const oldestVersion = 15;

interface StartOptions {
  /**
   * Join a server that another program runs on this DATA_DIR instead of refusing. For seeds,
   * benches and repairs.
   */
  shareRunning?: boolean;
  onDeath?: (sentence: string) => void;
  disk?: DiskSpace;
  /** Breaks off the start of the embedded server: it rejects once no server runs. */
  signal?: AbortSignal;
}

/**
 * The database that the configuration asks for: the embedded PostgreSQL, started here, or the
 * server that DATABASE_URL names, checked. Throws with a sentence for the operator.
 */
export async function startDatabase(
  config: Config,
  log: Log,
  options: StartOptions = {},
): Promise<RunningDatabase> {
  const nothing = { stop: async () => undefined, stopNow: () => undefined };
  if (config.databaseUrl !== undefined) {
    const role = await prepareServer(config.databaseUrl, config.withoutRowLevelSecurity, log);
    return {
      ownerUrl: config.databaseUrl,
      appUrl: config.databaseUrl,
      ...(role ? { appRole: role } : {}),
      ...nothing,
    };
  }
  if (options.shareRunning) {
    const running = await findRunningPostgres(config.dataDir);
    if (running) return { ...running, ...nothing };
  }
  const { onDeath, disk, signal } = options;
  return startEmbeddedPostgres({
    dataDir: config.dataDir,
    log,
    disk,
    signal,
    ...(onDeath ? { onDeath } : {}),
  });
}

/**
 * Checks the server's version and prepares the app's role. Returns the role. Returns undefined if
 * row-level security cannot bind and the configuration explicitly accepts that.
 */
export async function prepareServer(
  url: string,
  withoutRowLevelSecurity: Config['withoutRowLevelSecurity'],
  log: Log,
): Promise<string | undefined> {
  const client = await connect(url);
  try {
    await refuseOldServer(client, new URL(url).host);
    const problem = await whyNotAppRole(client);
    if (!problem) return appRole;
    if (withoutRowLevelSecurity === 'refuse') throw new Error(refusal(problem));
    log.warn(`${problem} WITHOUT_ROW_LEVEL_SECURITY accepts it: queries alone keep workspaces apart.`);
    return undefined;
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 15_000 });
  try {
    await client.connect();
    return client;
  } catch (error) {
    const where = new URL(url).host || 'the server';
    throw new Error(`DATABASE_URL: cannot connect to PostgreSQL at ${where}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function refuseOldServer(client: pg.Client, host: string): Promise<void> {
  const { rows } = await client.query<{ number: number; text: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
  );
  const version = rows[0];
  if (version && version.number >= oldestVersion * 10_000) return;
  throw new Error(
    `DATABASE_URL: ${host || 'the server'} runs PostgreSQL ${version?.text}; ` +
      `Email Manager needs ${oldestVersion} or newer.`,
  );
}

const refusal = (problem: string) =>
  `${problem} So the database would not keep workspaces apart, and Email Manager does not start. To rely on the ` +
  "product's own queries alone, start it with WITHOUT_ROW_LEVEL_SECURITY=accept.";

/**
 * Creates the app's role if it is missing and takes it. Returns a sentence for the operator about
 * why row-level security would not bind the product. Undefined when it does bind.
 */
async function whyNotAppRole(client: pg.Client): Promise<string | undefined> {
  try {
    await client.query(takeAppRole);
  } catch (error) {
    return (
      `DATABASE_URL's user cannot take the role ${appRole} (${(error as Error).message}). ` +
      `Let an administrator run: create role ${appRole} nologin; grant ${appRole} to <that user>;`
    );
  }
  const { rows } = await client.query<{ bypasses: boolean; owns: boolean }>(`
    select app.rolsuper or app.rolbypassrls as bypasses,
           pg_has_role(app.oid, session_user, 'usage') or exists (
             select from pg_class c where c.relrowsecurity and c.relnamespace = 'public'::regnamespace
               and pg_has_role(app.oid, c.relowner, 'usage')) as owns
    from pg_roles app where app.rolname = current_user`);
  if (rows[0]?.bypasses)
    return `The role ${appRole} may bypass row-level security. Let an administrator run: alter role ${appRole} nosuperuser nobypassrls;`;
  if (rows[0]?.owns)
    return `The role ${appRole} owns the tables, and row-level security does not bind an owner. Give them to another role, and DATABASE_URL that one.`;
  return undefined;
}

const takeAppRole = `
  do $$ begin
    if not exists (select from pg_roles where rolname = '${appRole}') then create role ${appRole} nologin; end if;
    -- Since PostgreSQL 16 the maker of a role may grant it but is not yet allowed to take it.
    if not pg_has_role(current_user, '${appRole}', 'member') then
      execute format('grant ${appRole} to %I', current_user);
    elsif current_setting('server_version_num')::int >= 160000 then
      if not pg_has_role(current_user, '${appRole}', 'set') then
        execute format('grant ${appRole} to %I', current_user);
      end if;
    end if;
  exception when duplicate_object or unique_violation then null; -- another process made it at the same moment
  end $$;
  set role ${appRole}`;
