import { sql } from 'kysely';
import type { TenantTx } from '#platform/server/database.ts';
import type { Provider } from '../../rules/providers/providers.ts';

export interface WebhookRow {
  provider: Provider;
  isOn: boolean;
  version: number;
  /** Sealed. */
  secret: string | null;
  topic: string | null;
  lastCallAt: Date | null;
  events: number;
  found: number;
}

/** The services that were ever switched on. */
export async function selectWebhooks(tx: TenantTx, workspaceId: number): Promise<WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`
    select provider, is_on as "isOn", version, secret, topic, last_call_at as "lastCallAt", events, found
    from bounce_webhooks where workspace_id = ${workspaceId}`.execute(tx);
  return rows;
}

/** Lets a service call. Undefined for its secret: it stays as it is. */
export async function upsertWebhook(
  tx: TenantTx,
  workspaceId: number,
  provider: Provider,
  secret: string | null | undefined,
): Promise<void> {
  await sql`
    insert into bounce_webhooks as w (workspace_id, provider, secret)
    values (${workspaceId}, ${provider}, ${secret ?? null})
    on conflict (workspace_id, provider) do update
    set is_on = true, secret = case when ${secret !== undefined} then excluded.secret else w.secret end`.execute(
    tx,
  );
}

/** Its address works no more. Returns whether it did. */
export async function endWebhook(tx: TenantTx, workspaceId: number, provider: Provider): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update bounce_webhooks
    set is_on = false, version = version + 1, secret = null, topic = null, last_call_at = null, calls = 0, events = 0,
      found = 0
    where workspace_id = ${workspaceId} and provider = ${provider} and is_on`.execute(tx);
  return Number(numAffectedRows ?? 0) > 0;
}

export async function updateSecret(
  tx: TenantTx,
  workspaceId: number,
  { provider, secret }: { provider: Provider; secret: string },
): Promise<void> {
  await sql`
    update bounce_webhooks set secret = ${secret}
    where workspace_id = ${workspaceId} and provider = ${provider}`.execute(tx);
}

/** Remembers a call. Returns false for one that was taken before. */
export async function insertCall(
  tx: TenantTx,
  workspaceId: number,
  { provider, digest }: { provider: Provider; digest: Buffer },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into bounce_calls (workspace_id, provider, digest) values (${workspaceId}, ${provider}, ${digest})
    on conflict do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0) > 0;
}

export async function noteCall(
  tx: TenantTx,
  workspaceId: number,
  { provider, events, found }: { provider: Provider; events: number; found: number },
): Promise<void> {
  await sql`
    update bounce_webhooks
    set last_call_at = clock_timestamp(), calls = calls + 1, events = events + ${events}, found = found + ${found}
    where workspace_id = ${workspaceId} and provider = ${provider}`.execute(tx);
}

/** Keeps the topic that came first. Returns whether it is this one. */
export async function keepTopic(
  tx: TenantTx,
  workspaceId: number,
  provider: Provider,
  topic: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update bounce_webhooks set topic = ${topic}
    where workspace_id = ${workspaceId} and provider = ${provider} and coalesce(topic, ${topic}) = ${topic}`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0) > 0;
}

/** Deletes the calls of so many days ago. */
export async function forgetCalls(tx: TenantTx, workspaceId: number, days: number): Promise<void> {
  await sql`
    delete from bounce_calls
    where workspace_id = ${workspaceId} and at < now() - make_interval(days => ${days}::int)`.execute(tx);
}
