import { createHash, randomBytes } from 'node:crypto';
import { recordAudit } from '#features/audit/server/index.ts';
import { nameProblem } from '#features/sign-in/rules.ts';
import { answersCall, type Database, type TenantTx } from '#platform/server/database.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { ApiKey, apiKeyCalls } from '../contract.ts';
import { shownSecretLength } from '../rules.ts';
import { type HolderRow, selectHolders } from './holder-queries.ts';
import { insistOnAdmin, type KeyActor, takeOverKey } from './holders.ts';
import { type ApiKeyRow, insertKey, markRevoked, selectKeys } from './queries.ts';

/** More than anybody can tell apart. */
const mostKeys = 100;

export function registerApiKeys(
  router: Router,
  db: Database,
  { listApiKeys, createApiKey, revokeApiKey, takeOverApiKey }: ReturnType<typeof apiKeyCalls>,
): void {
  router.handle(listApiKeys, ({ workspaceId, caller }) =>
    db.asTenant(workspaceId, async (tx) =>
      shownKeys(tx, workspaceId, caller, await selectKeys(tx, workspaceId)),
    ),
  );

  router.handle(createApiKey, async ({ workspaceId, caller, body, reply }) => {
    const name = body.name.trim();
    const problem = nameProblem(name);
    if (problem !== null) throw new AppError('invalid_input', problem, { fields: { name: problem } });
    const scopes = [...new Set(body.scopes)];
    const secret = randomBytes(32).toString('base64url');
    const head = `em_live_${workspaceId}_`;
    const key = head + secret;
    reply.header('cache-control', 'no-store');
    return db.asTenant(workspaceId, async (tx) => {
      await insistOnAdmin(tx, workspaceId, actorOf(caller));
      if ((await selectKeys(tx, workspaceId)).length >= mostKeys)
        throw new AppError('conflict', `A workspace has at most ${mostKeys} API keys. Revoke one first.`);
      const row = await insertKey(tx, workspaceId, {
        name,
        prefix: head + secret.slice(0, shownSecretLength),
        hash: createHash('sha256').update(key).digest(),
        scopes,
        userId: Number(caller.userId),
        userName: caller.name,
        expiresInDays: body.expiresInDays,
      });
      await recordAudit(tx, workspaceId, {
        actor: caller.email,
        action: 'api_key.created',
        subject: `api_key:${row.id}`,
        details: { name, scopes, expiresAt: row.expiresAt?.toISOString() ?? null },
      });
      const [shown] = await shownKeys(tx, workspaceId, caller, [row]);
      if (!shown) throw new Error('a key was kept and not found');
      return { ...shown, key };
    });
  });

  router.handle(takeOverApiKey, ({ workspaceId, caller, params }) =>
    db.asTenant(
      workspaceId,
      async (tx) => {
        await takeOverKey(tx, workspaceId, params.id, actorOf(caller));
        const rows = (await selectKeys(tx, workspaceId)).filter(({ id }) => id === params.id);
        const [taken] = await shownKeys(tx, workspaceId, caller, rows);
        if (!taken) throw new Error('a key was taken over and not found');
        return taken;
      },
      answersCall,
    ),
  );

  router.handle(revokeApiKey, ({ workspaceId, caller, params }) =>
    db.asTenant(workspaceId, async (tx) => {
      const name = await markRevoked(tx, workspaceId, params.id, caller.email);
      if (name === undefined)
        throw new AppError('not_found', 'This key is not there any more. Reload the list.');
      await recordAudit(tx, workspaceId, {
        actor: caller.email,
        action: 'api_key.revoked',
        subject: `api_key:${params.id}`,
        details: { name },
      });
      return { revoked: 1 as const };
    }),
  );
}

const actorOf = ({ userId, email }: Caller): KeyActor => ({ userId: Number(userId), email });

async function shownKeys(
  tx: TenantTx,
  workspaceId: number,
  caller: Caller,
  rows: readonly ApiKeyRow[],
): Promise<ApiKey[]> {
  const ids = [...new Set(rows.map(({ holderId }) => holderId))];
  const holders = new Map(
    (await selectHolders(tx, workspaceId, ids)).map((holder) => [holder.userId, holder]),
  );
  return rows.map((row) => shown(row, holders.get(row.holderId), Number(caller.userId)));
}

function shown(
  { createdAt, expiresAt, lastUsedAt, holderId, ...row }: ApiKeyRow,
  holder: HolderRow | undefined,
  callerId: number,
): ApiKey {
  return {
    ...row,
    holder: {
      name: holder?.name ?? row.createdBy,
      email: holder?.email ?? null,
      role: holder?.role ?? null,
      isSuspended: holder?.isSuspended ?? false,
      isYou: holderId === callerId,
    },
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expired: expiresAt !== null && expiresAt.getTime() <= Date.now(),
  };
}
