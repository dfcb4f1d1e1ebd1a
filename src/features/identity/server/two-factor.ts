import { AppError } from '#platform/shared/errors.ts';
import { accountOf, recordForUser } from './account.ts';
import { deleteProofs } from './account-queries.ts';
import { limitAttempts } from './attempts.ts';
import type { Auth } from './auth.ts';
import type { AuthDatabase } from './auth-database.ts';
import { cookieOf, type Exchange, headersOf, unpack } from './library-call.ts';
import { trustPrefix } from './mailed-links.ts';

/** The second factor is the library's; this is the way to it, with the audit log and without what goes round our rules. */
interface Parts {
  db: AuthDatabase;
  auth: Auth;
}

/** The password has been checked and is checked again by the library. */
export async function beginTwoFactor(
  { db, auth }: Parts,
  exchange: Exchange,
  userId: number,
  password: string,
): Promise<{ uri: string; secret: string; recoveryCodes: string[] }> {
  if ((await accountOf(db, userId)).twoFactorOn)
    throw new AppError('conflict', 'Two-factor sign-in is on already. Turn it off to set it up anew.');
  const response = await auth.api.enableTwoFactor({
    body: { password },
    headers: headersOf(exchange.request, cookieOf(exchange)),
    asResponse: true,
  });
  const { totpURI, backupCodes } = await unpack<{ totpURI: string; backupCodes: string[] }>(
    exchange.reply,
    response,
  );
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  return { uri: totpURI, secret, recoveryCodes: backupCodes };
}

export async function turnOn(
  { db, auth }: Parts,
  exchange: Exchange,
  userId: number,
  code: string,
): Promise<void> {
  await limitAttempts(db, { kind: 'two-factor', who: String(userId), most: 10, windowMs: 60_000 });
  const account = await accountOf(db, userId);
  if (account.twoFactorOn) throw new AppError('conflict', 'Two-factor sign-in is on already.');
  const response = await auth.api.verifyTOTP({
    body: { code: digits(code) },
    headers: headersOf(exchange.request, cookieOf(exchange)),
    asResponse: true,
  });
  await unpack(exchange.reply, response);
  await record(db, userId, account.email, 'account.two_factor_on');
}

export async function turnOff(
  { db, auth }: Parts,
  exchange: Exchange,
  userId: number,
  password: string,
): Promise<void> {
  const account = await accountOf(db, userId);
  if (!account.twoFactorOn) throw new AppError('conflict', 'Two-factor sign-in is off already.');
  const response = await auth.api.disableTwoFactor({
    body: { password },
    headers: headersOf(exchange.request, cookieOf(exchange)),
    asResponse: true,
  });
  await unpack(exchange.reply, response);
  await deleteProofs(db, trustPrefix, userId);
  await record(db, userId, account.email, 'account.two_factor_off');
}

export async function renewCodes(
  { db, auth }: Parts,
  exchange: Exchange,
  userId: number,
  password: string,
): Promise<string[]> {
  const account = await accountOf(db, userId);
  if (!account.twoFactorOn) throw new AppError('conflict', 'Two-factor sign-in is off.');
  const response = await auth.api.generateBackupCodes({
    body: { password },
    headers: headersOf(exchange.request, cookieOf(exchange)),
    asResponse: true,
  });
  const { backupCodes } = await unpack<{ backupCodes: string[] }>(exchange.reply, response);
  await record(db, userId, account.email, 'account.recovery_codes_renewed');
  return backupCodes;
}

export async function codesLeft({ auth }: Parts, userId: number): Promise<number> {
  const { backupCodes } = await auth.api.viewBackupCodes({ body: { userId: String(userId) } });
  return backupCodes.length;
}

/**
 * The second step of signing in. Without the session cookie: with it the library would take the call for one of somebody
 * who is signed in already, which has no limit of attempts.
 */
export async function passSecondStep(
  { db, auth }: Parts,
  exchange: Exchange,
  { code, kind, trustDevice }: { code: string; kind: 'authenticator' | 'recovery'; trustDevice: boolean },
): Promise<void> {
  const { request, reply } = exchange;
  await limitAttempts(db, { kind: 'second-step', who: request.ip, most: 60, windowMs: 60_000 });
  const { authCookies } = await auth.$context;
  const cookie = cookieOf(exchange)
    .split(';')
    .filter((pair) => pair.split('=')[0]?.trim() !== authCookies.sessionToken.name)
    .join(';');
  const headers = headersOf(request, cookie);
  const response =
    kind === 'recovery'
      ? await auth.api.verifyBackupCode({ body: { code, trustDevice }, headers, asResponse: true })
      : await auth.api.verifyTOTP({ body: { code: digits(code), trustDevice }, headers, asResponse: true });
  const { user } = await unpack<{ user: { id: string; email: string } }>(reply, response);
  if (kind === 'recovery') await record(db, Number(user.id), user.email, 'account.recovery_code_used');
}

/** Apps show a code as two groups of three. */
const digits = (code: string): string => code.replace(/\s/g, '');

async function record(db: AuthDatabase, userId: number, actor: string, action: string): Promise<void> {
  await db.transaction().execute((tx) => recordForUser(tx, userId, { actor, action }));
}
