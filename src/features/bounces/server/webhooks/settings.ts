import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Sealer } from '#platform/server/sealed.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { BounceWebhook } from '../../contract/webhooks.ts';
import { aboutProviders, type Provider, providers } from '../../rules/providers/providers.ts';
import { verificationKey } from './prove.ts';
import { placeOfSecret, type WebhookContext, webhookKey } from './take-call.ts';
import { endWebhook, selectWebhooks, updateSecret, upsertWebhook } from './webhook-queries.ts';

/** All services, those that may call and those that may not. */
export async function listWebhooks(
  tx: TenantTx,
  { references, publicUrl }: WebhookContext,
  workspaceId: number,
): Promise<BounceWebhook[]> {
  const rows = new Map((await selectWebhooks(tx, workspaceId)).map((row) => [row.provider, row]));
  return providers.map((provider) => {
    const row = rows.get(provider);
    const key = webhookKey(references, workspaceId, { provider, version: row?.version ?? 1 });
    return {
      ...{ provider, name: aboutProviders[provider].name, isOn: row?.isOn ?? false },
      url: `${publicUrl}/api/bounces/webhooks/${provider}/${key}`,
      hasSecret: row !== undefined && row.secret !== null,
      topic: row?.topic ?? null,
      lastCallAt: row?.lastCallAt?.toISOString() ?? null,
      events: row?.events ?? 0,
      found: row?.found ?? 0,
    };
  });
}

/** Lets a service call, or changes what proves its calls. */
export async function setWebhook(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  { sealer }: WebhookContext,
  { provider, secret }: { provider: Provider; secret: string | null | undefined },
): Promise<void> {
  const sealed =
    secret == null ? secret : sealer.seal(checked(provider, secret), placeOfSecret(workspaceId, provider));
  await upsertWebhook(tx, workspaceId, provider, sealed);
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'bounce_webhook.updated',
    subject: `bounce_webhook:${provider}`,
    details: { name: aboutProviders[provider].name },
  });
}

function checked(provider: Provider, secret: string): string {
  const words =
    aboutProviders[provider].secret === null
      ? `${aboutProviders[provider].name} signs its calls by itself and needs no secret.`
      : provider === 'sendgrid' && !verificationKey(secret)
        ? 'This is no verification key of SendGrid. It begins with MFkw.'
        : null;
  if (words !== null) throw new AppError('invalid_input', words, { fields: { secret: words } });
  return secret;
}

/** Its address works no more. The next one is another. */
export async function removeWebhook(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  provider: Provider,
): Promise<void> {
  if (!(await endWebhook(tx, workspaceId, provider))) return;
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'bounce_webhook.deleted',
    subject: `bounce_webhook:${provider}`,
    details: { name: aboutProviders[provider].name },
  });
}

/** Seals again what an earlier SECRET_KEY has sealed. */
export async function sealAgain(tx: TenantTx, workspaceId: number, sealer: Sealer): Promise<void> {
  for (const { provider, secret } of await selectWebhooks(tx, workspaceId)) {
    if (secret === null || sealer.isCurrent(secret)) continue;
    const place = placeOfSecret(workspaceId, provider);
    await updateSecret(tx, workspaceId, { provider, secret: sealer.seal(sealer.open(secret, place), place) });
  }
}
