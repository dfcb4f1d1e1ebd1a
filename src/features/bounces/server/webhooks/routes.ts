import type { Router } from '#platform/server/http.ts';
import * as contract from '../../contract/webhooks.ts';
import { listWebhooks, removeWebhook, setWebhook } from './settings.ts';
import { jsonOf, takeCall, type WebhookContext } from './take-call.ts';

export function registerWebhooks(router: Router, context: WebhookContext): void {
  const { db } = context;
  const list = (workspaceId: number) =>
    db.asTenant(workspaceId, async (tx) => ({ items: await listWebhooks(tx, context, workspaceId) }));
  router.handle(contract.listBounceWebhooks, ({ workspaceId }) => list(workspaceId));
  router.handle(contract.setBounceWebhook, async ({ workspaceId, caller: { email }, params, body }) => {
    const { secret } = body;
    await db.asTenant(workspaceId, (tx) =>
      setWebhook(tx, { workspaceId, email }, context, { ...params, secret }),
    );
    return list(workspaceId);
  });
  router.handle(contract.deleteBounceWebhook, async ({ workspaceId, caller: { email }, params }) => {
    await db.asTenant(workspaceId, (tx) => removeWebhook(tx, { workspaceId, email }, params.provider));
    return list(workspaceId);
  });
  router.handle(contract.takeBounceWebhook, async ({ params: { provider, key }, request, reply }) => {
    const text = typeof request.body === 'string' ? request.body : '';
    const taken = await takeCall(context, provider, key, {
      text,
      body: jsonOf(text),
      headers: request.headers,
    });
    return reply.send({ taken });
  });
}
