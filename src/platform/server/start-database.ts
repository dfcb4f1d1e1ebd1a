import pg from 'pg';
import type { Config } from './config.ts';
import { appRole, findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import type { Log } from './logging.ts';

export interface RunningDatabase {
  /** Connection string of the role that owns the tables and migrates. */
  ownerUrl: string;
  /** Connection string the product works with. */
  appUrl: string;
  /** The role to take on each of the product's connections, so that row-level security binds; absent when the URL's own role is it. */
  appRole?: string;
  /** Stops the embedded server in good order; does nothing to a server that is not ours. */
  stop(): Promise<void>;
  /** Stops the embedded server at once; the next start recovers. */
  stopNow(): void;
}

const oldestVersion = 15;

interface StartOptions {
  /** Join a server that another program runs on this DATA_DIR instead of refusing; for seeds, benches and repairs. */
  shareRunning?: boolean;
  onDeath?: (sentence: string) => void;
}

/**
 * The database the configuration asks for: the embedded PostgreSQL, started here, or the server DATABASE_URL names,
 * checked. Throws with a sentence for the operator.
 */
export async function startDatabase(
  config: Config,
  log: Log,
  options: StartOptions = {},
): Promise<RunningDatabase> {
  const nothing = { stop: async () => undefined, stopNow: () => undefined };
  if (config.databaseUrl !== undefined) {
    const role = await prepareServer(config.databaseUrl, log);
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
  const { onDeath } = options;
  return startEmbeddedPostgres({ dataDir: config.dataDir, log, ...(onDeath ? { onDeath } : {}) });
}

/** Checks the server's version and sees to the app's role. Answers the role, or undefined where it may not be had. */
export async function prepareServer(url: string, log: Log): Promise<string | undefined> {
  const where = new URL(url).host || 'the server';
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 15_000 });
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`DATABASE_URL: cannot connect to PostgreSQL at ${where}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  try {
    const { rows } = await client.query<{ number: number; text: string }>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
    );
    const version = rows[0];
    if (!version || version.number < oldestVersion * 10_000) {
      throw new Error(
        `DATABASE_URL: ${where} runs PostgreSQL ${version?.text}; Email Manager needs ${oldestVersion} or newer.`,
      );
    }
    return await takeAppRole(client, log);
  } finally {
    await client.end();
  }
}

/**
 * Makes the app's role where it is missing and tries to become it. A user who may do neither is the tables' owner,
 * whom row-level security does not bind: the product then relies on its own queries alone, and says so.
 */
async function takeAppRole(client: pg.Client, log: Log): Promise<string | undefined> {
  try {
    await client.query(`
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
      end $$`);
    await client.query(`set role ${appRole}`);
    return appRole;
  } catch (error) {
    const reason = (error as Error).message;
    log.warn(
      `DATABASE_URL's user cannot take the role ${appRole} (${reason}), so row-level security does not guard workspaces from each other. ` +
        `Let an administrator run: create role ${appRole} nologin; grant ${appRole} to <that user>;`,
    );
    return undefined;
  }
}
