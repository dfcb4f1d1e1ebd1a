import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { Sealer } from '#platform/server/sealed.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type addSmtpServer, type changeSmtpServer, mostServers, type ShownServer } from '../contract.ts';
import { openPassword, sealPassword } from './connect.ts';
import {
  insertServer,
  removeServer,
  type ServerRow,
  selectServer,
  selectServers,
  updateSealed,
  updateServer,
} from './queries.ts';

/** A server as callers see it. */
export function shown(row: ServerRow): ShownServer {
  const { id, name, host, port, tls, username, weight, isFallback, isActive, perHour, perMinute } = row;
  const { lastTestAt, lastTestOk, lastTestAnswer, trouble, troubleAt } = row;
  return {
    ...{ id, name, host, port, tls, username, hasPassword: row.password !== null },
    ...{ weight, isFallback, isActive, perHour, perMinute },
    lastTest: lastTestAt && {
      ...{ at: lastTestAt.toISOString(), ok: lastTestOk === true, answer: lastTestAnswer ?? '' },
    },
    trouble: troubleAt && { at: troubleAt.toISOString(), words: trouble ?? '' },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** One server. Throws `not_found`. */
export async function needServer(
  tx: TenantTx,
  workspaceId: number,
  id: number,
  options?: { lock: boolean },
): Promise<ServerRow> {
  const row = await selectServer(tx, workspaceId, id, options);
  if (!row) throw new AppError('not_found', 'This SMTP server is not there any more. Reload the page.');
  return row;
}

const fault = (field: string, words: string) =>
  new AppError('invalid_input', words, { fields: { [field]: words } });

export async function addServer(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  sealer: Sealer,
  { password, ...server }: BodyOf<typeof addSmtpServer>,
): Promise<ShownServer> {
  if ((await selectServers(tx, workspaceId)).length >= mostServers)
    throw new AppError('conflict', `A workspace has at most ${mostServers} SMTP servers. Remove one first.`);
  const sealed = sealedPassword(sealer, workspaceId, server, password);
  const row = await insertServer(tx, workspaceId, { ...server, password: sealed });
  await record(tx, { workspaceId, email }, 'added', row);
  return shown(row);
}

/** The password as it is kept. Null without a user. */
function sealedPassword(
  sealer: Sealer,
  workspaceId: number,
  { host, username }: { host: string; username: string },
  password: string,
): string | null {
  if (username === '' && password !== '')
    throw fault('username', 'Write the user name that the password is for.');
  if (username === '') return null;
  if (password === '') throw fault('password', 'Write the password of this user.');
  return sealPassword(sealer, workspaceId, { host, username }, password);
}

export async function changeServer(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  sealer: Sealer,
  { id, change }: { id: number; change: BodyOf<typeof changeSmtpServer> },
): Promise<ShownServer> {
  const before = await needServer(tx, workspaceId, id, { lock: true });
  const { password, ...rest } = change;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const after: ServerRow = { ...before, ...given };
  const forgets =
    password !== undefined ||
    (['host', 'port', 'tls', 'username'] as const).some((field) => after[field] !== before[field]);
  const sealed = keepsPassword(before, after, password)
    ? before.password
    : sealedPassword(sealer, workspaceId, after, password ?? '');
  const row = await updateServer(tx, workspaceId, { ...after, password: sealed, forgets });
  await record(tx, { workspaceId, email }, 'changed', row);
  return shown(row);
}

/** Whether the password that is there may go on being used: as before, or better protected. */
export function keepsPassword(
  before: Pick<ServerRow, 'host' | 'username' | 'tls'>,
  after: Pick<ServerRow, 'host' | 'username' | 'tls'>,
  given: string | undefined,
): boolean {
  if (given !== undefined && given !== '') return false;
  const isBare = after.tls === 'none' && before.tls !== 'none';
  return before.host === after.host && before.username === after.username && !isBare;
}

export async function deleteServer(tx: TenantTx, { workspaceId, email }: Actor, id: number): Promise<void> {
  const row = await needServer(tx, workspaceId, id, { lock: true });
  await removeServer(tx, workspaceId, id);
  await record(tx, { workspaceId, email }, 'removed', row);
}

const record = (
  tx: TenantTx,
  { workspaceId, email }: Actor,
  verb: 'added' | 'changed' | 'removed',
  { id, name, host, port }: ServerRow,
) =>
  recordAudit(tx, workspaceId, {
    actor: email,
    action: `smtp_server.${verb}`,
    subject: `smtp_server:${id}`,
    details: { name: `${name} (${host}:${port})` },
  });

/** Seals again what an earlier SECRET_KEY has sealed. */
export async function sealAgain(tx: TenantTx, workspaceId: number, sealer: Sealer): Promise<void> {
  for (const { id } of await selectServers(tx, workspaceId)) {
    const row = await selectServer(tx, workspaceId, id, { lock: true });
    if (!row?.password || sealer.isCurrent(row.password)) continue;
    const open = openPassword(sealer, workspaceId, row) ?? '';
    await updateSealed(tx, workspaceId, { id, password: sealPassword(sealer, workspaceId, row, open) });
  }
}
