import { readSettings } from '#features/settings/server/index.ts';
import { limitAttempts } from '#features/sign-in/server/index.ts';
import { answersCall } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { openPassword, refusePrivate, smtpServerOf } from './connect.ts';
import type { ServersContext } from './context.ts';
import { type Connection, keepTest, selectServers } from './queries.ts';
import { type Trial, tryOut } from './try-server.ts';
import { addServer, changeServer, deleteServer, keepsPassword, needServer, shown } from './write-server.ts';

export function registerSmtpServers(router: Router, context: ServersContext): void {
  const { db, sealer, config } = context;
  const allowsPrivate = config.allowPrivateSmtp;
  router.handle(contract.listSmtpServers, async ({ workspaceId }) => {
    const rows = await db.asTenant(workspaceId, (tx) => selectServers(tx, workspaceId));
    return { items: rows.map(shown), allowsPrivate };
  });
  // Names are looked up while no transaction is open.
  router.handle(contract.addSmtpServer, async ({ workspaceId, caller: { email }, body }) => {
    await refusePrivate(body.host, allowsPrivate);
    return db.asTenant(workspaceId, (tx) => addServer(tx, { workspaceId, email }, sealer, body), answersCall);
  });
  router.handle(contract.changeSmtpServer, async ({ workspaceId, caller: { email }, params, body }) => {
    if (body.host !== undefined) await refusePrivate(body.host, allowsPrivate);
    const asked = { id: params.id, change: body };
    return db.asTenant(workspaceId, (tx) => changeServer(tx, { workspaceId, email }, sealer, asked));
  });
  router.handle(contract.deleteSmtpServer, ({ workspaceId, caller: { email }, params }) =>
    db.asTenant(workspaceId, async (tx) => {
      await deleteServer(tx, { workspaceId, email }, params.id);
      return { deleted: 1 as const };
    }),
  );
  registerTests(router, context);
}

function registerTests(router: Router, { db, sealer, config }: ServersContext): void {
  const { allowPrivateSmtp: allowsPrivate, mailFrom } = config;
  const limit = (workspaceId: number) =>
    limitAttempts(db.system, {
      ...{ kind: 'smtp-test', who: String(workspaceId), most: contract.testsAnHour, windowMs: 3_600_000 },
    });
  const messageTo = async (workspaceId: number, to: string, isAsked: boolean): Promise<Trial['message']> => {
    if (!isAsked) return null;
    const { sender } = await db.asTenant(workspaceId, (tx) => readSettings(tx, workspaceId));
    return { from: sender.fromAddress || mailFrom, to };
  };
  router.handle(contract.testSmtpServer, async ({ workspaceId, caller: { email }, params, body }) => {
    const row = await db.asTenant(workspaceId, (tx) => needServer(tx, workspaceId, params.id));
    await limit(workspaceId);
    const server = smtpServerOf(row, openPassword(sealer, workspaceId, row));
    const message = await messageTo(workspaceId, email, body.sendMessage);
    const result = await tryOut({ server, allowsPrivate, message });
    await db.asTenant(workspaceId, (tx) => keepTest(tx, workspaceId, row, result));
    return result;
  });
  router.handle(contract.tryServer, async ({ workspaceId, caller: { email }, body }) => {
    const { id, password, sendMessage, ...connection } = body;
    const kept = id === undefined ? null : await keptPassword(workspaceId, id, connection, password);
    await refusePrivate(connection.host, allowsPrivate);
    await limit(workspaceId);
    const server = smtpServerOf(connection, password || kept || '');
    return tryOut({ server, allowsPrivate, message: await messageTo(workspaceId, email, sendMessage) });
  });
  const keptPassword = async (
    workspaceId: number,
    id: number,
    connection: Connection,
    given: string | undefined,
  ): Promise<string | null> => {
    const row = await db.asTenant(workspaceId, (tx) => needServer(tx, workspaceId, id));
    return keepsPassword(row, connection, given) ? openPassword(sealer, workspaceId, row) : null;
  };
}
