import { hostname } from 'node:os';
import { ConnectError, type SmtpServer } from '#features/sending/server/index.ts';
import { NotPublic, publicAddressOf } from '#platform/server/public-address.ts';
import type { Sealer } from '#platform/server/sealed.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { Connection } from './queries.ts';

/** What we call ourselves in EHLO. */
export const ownName = hostname() || 'localhost';

const words = ({ message }: NotPublic) => `${message} Use a mail server that can be reached there.`;

/** Where to connect for a host that a workspace named. Throws `ConnectError`. */
export async function checkedAddress(host: string): Promise<string> {
  try {
    return await publicAddressOf(host);
  } catch (error) {
    if (error instanceof NotPublic) throw new ConnectError(words(error), true, { cause: error });
    const isUnknown = (error as { code?: string }).code === 'ENOTFOUND';
    const why = isUnknown ? `There is no host ${host}` : `The name ${host} could not be looked up`;
    throw new ConnectError(why, false, { cause: error });
  }
}

/**
 * Throws `invalid_input` for a host that is not on the public internet. A name that cannot be
 * looked up passes: it is looked up again at each connection.
 */
export async function refusePrivate(host: string, allowsPrivate: boolean): Promise<void> {
  if (allowsPrivate) return;
  await publicAddressOf(host).catch((error: unknown) => {
    if (!(error instanceof NotPublic)) return;
    throw new AppError('invalid_input', words(error), { fields: { host: words(error) } });
  });
}

const modes = { starttls: 'required', implicit: 'implicit', none: 'never' } as const;

/** As the SMTP client wants it. `password` is the open one. */
export const smtpServerOf = (
  { host, port, tls, username }: Connection,
  password: string | null,
): SmtpServer => ({
  ...{ host, port, tls: modes[tls], checksCertificate: true },
  ...(username === '' ? { user: null, password: null } : { user: username, password }),
});

/**
 * Where a password stands. It opens for its own host and user alone, so that nobody can point the
 * server at a host of theirs and be told the password.
 */
const placeOf = (workspaceId: number, { host, username }: Pick<Connection, 'host' | 'username'>): string =>
  `smtp_servers ${workspaceId} ${host} ${username}`;

export const sealPassword = (
  sealer: Sealer,
  workspaceId: number,
  connection: Pick<Connection, 'host' | 'username'>,
  password: string,
): string => sealer.seal(password, placeOf(workspaceId, connection));

export const openPassword = (
  sealer: Sealer,
  workspaceId: number,
  row: Pick<Connection, 'host' | 'username'> & { password: string | null },
): string | null => (row.password === null ? null : sealer.open(row.password, placeOf(workspaceId, row)));
