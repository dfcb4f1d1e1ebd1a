import { limitAttempts, TooManyAttempts } from '../attempts.ts';
import type { Auth } from '../auth.ts';
import type { AuthDatabase } from '../auth-database.ts';
import { holdingTo } from '../checked-password.ts';
import { asProductError, cookieOf, type Exchange, headersOf, unpack } from '../library.ts';
import { endEmailChanges, trustPrefix } from '../proofs.ts';
import { deleteProofs, selectProof } from '../queries.ts';
import { readCookie, readSignedToken } from '../session-cookie.ts';
import { selectPasswordHash } from '../user-queries.ts';
import { recordForUser } from '../users.ts';

/** Whose factor it is. The audit log names them by their address. */
interface Owner {
  id: number;
  email: string;
}

interface Step {
  code: string;
  kind: 'authenticator' | 'recovery';
  trustDevice: boolean;
}

/**
 * The way to the library's second factor, without the calls that bypass our rules. Whoever changes
 * it may do so because somebody else knows the password, so each change ends what would give the
 * account another address.
 */
export interface SecondFactor {
  /**
   * Makes a secret and recovery codes. The password has been checked, and the library checks it
   * again.
   */
  begin(
    exchange: Exchange,
    password: string,
  ): Promise<{ uri: string; secret: string; recoveryCodes: string[] }>;
  /** Turns it on with the app's first code. */
  confirm(exchange: Exchange, account: Owner, code: string): Promise<void>;
  /** Turns it off and forgets the devices that need no second factor. */
  stop(exchange: Exchange, account: Owner, password: string): Promise<void>;
  renewCodes(exchange: Exchange, account: Owner, password: string): Promise<string[]>;
  codesLeft(userId: number): Promise<number>;
  /** The second step of signing in. */
  pass(exchange: Exchange, step: Step): Promise<void>;
}

export function createSecondFactor(db: AuthDatabase, auth: Auth): SecondFactor {
  const own = (exchange: Exchange) => headersOf(exchange.request, cookieOf(exchange));
  const holding = async <T>(userId: number, work: () => Promise<T>): Promise<T> =>
    holdingTo({ hash: await selectPasswordHash(db, userId), code: 'unauthenticated' }, work);
  return {
    async begin(exchange, password) {
      const call = { body: { password }, headers: own(exchange), asResponse: true as const };
      const answer = await auth.api.enableTwoFactor(call);
      const { totpURI, backupCodes } = await unpack<{ totpURI: string; backupCodes: string[] }>(
        exchange.reply,
        answer,
      );
      const secret = new URL(totpURI).searchParams.get('secret') ?? '';
      return { uri: totpURI, secret, recoveryCodes: backupCodes };
    },
    async confirm(exchange, account, code) {
      const call = { body: { code: digits(code) }, headers: own(exchange), asResponse: true as const };
      await unpack(exchange.reply, await holding(account.id, () => auth.api.verifyTOTP(call)));
      await followChange(db, account, 'account.two_factor_on');
    },
    async stop(exchange, account, password) {
      const call = { body: { password }, headers: own(exchange), asResponse: true as const };
      await unpack(exchange.reply, await holding(account.id, () => auth.api.disableTwoFactor(call)));
      await followChange(db, account, 'account.two_factor_off');
    },
    async renewCodes(exchange, account, password) {
      const call = { body: { password }, headers: own(exchange), asResponse: true as const };
      const answer = await auth.api.generateBackupCodes(call);
      const { backupCodes } = await unpack<{ backupCodes: string[] }>(exchange.reply, answer);
      await followChange(db, account, 'account.recovery_codes_renewed');
      return backupCodes;
    },
    async codesLeft(userId) {
      const { backupCodes } = await auth.api.viewBackupCodes({ body: { userId: String(userId) } });
      return backupCodes.length;
    },
    pass: (exchange, step) => pass(db, auth, exchange, step),
  };
}

/**
 * What follows a change of the factor, as one. A device that was trusted before is not any more: it
 * could outlive a stop of the product between turning the factor off and this, and spare somebody
 * the next factor. Renewed codes are no reason to ask devices again.
 */
async function followChange(db: AuthDatabase, { id, email }: Owner, action: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await endEmailChanges(tx, id);
    if (action !== 'account.recovery_codes_renewed') await deleteProofs(tx, trustPrefix, id);
    await recordForUser(tx, id, { actor: email, action });
  });
}

/**
 * Leaves out the session cookie. With it the library would treat the caller as signed in, and then
 * attempts have no limit.
 */
async function pass(
  db: AuthDatabase,
  auth: Auth,
  exchange: Exchange,
  { code, kind, trustDevice }: Step,
): Promise<void> {
  const { request, reply } = exchange;
  await limitAttempts(db, { kind: 'second-step', who: request.ip, most: 60, windowMs: 60_000 });
  const { authCookies } = await auth.$context;
  const cookie = cookieOf(exchange)
    .split(';')
    .filter((pair) => pair.split('=')[0]?.trim() !== authCookies.sessionToken.name)
    .join(';');
  const headers = headersOf(request, cookie);
  const hash = await hashOfWaiting(db, auth, cookie);
  const response = await holdingTo({ hash, code: 'gone' }, () =>
    kind === 'recovery'
      ? auth.api.verifyBackupCode({ body: { code, trustDevice }, headers, asResponse: true })
      : auth.api.verifyTOTP({ body: { code: digits(code), trustDevice }, headers, asResponse: true }),
  );
  if (kind === 'authenticator' && response.ok) await useUp(db, auth, response.clone(), digits(code));
  const { user } = await unpack<{ user: { id: string; email: string } }>(reply, response);
  if (kind !== 'recovery') return;
  const line = { actor: user.email, action: 'account.recovery_code_used' };
  await db.transaction().execute((tx) => recordForUser(tx, Number(user.id), line));
}

/**
 * The password's hash of the user whose sign-in waits for its second step; undefined when none
 * waits. A new password ends the waiting, so this is the hash of the password that was right.
 */
async function hashOfWaiting(
  db: AuthDatabase,
  auth: Auth,
  cookie: string,
): Promise<string | null | undefined> {
  const { createAuthCookie, secret } = await auth.$context;
  const identifier = readSignedToken(readCookie(cookie, createAuthCookie('two_factor').name), secret);
  const user = identifier === null ? undefined : await selectProof(db, identifier);
  return user === undefined ? undefined : selectPasswordHash(db, Number(user));
}

/** The library takes a code up to half a minute before and after its own half minute. */
const codeLivesMs = 120_000;

/**
 * Takes an authenticator's code out of use, so that somebody who has seen it cannot sign in with it
 * too (RFC 6238, section 5.2). The session that the library has made for a used code is ended.
 */
async function useUp(db: AuthDatabase, auth: Auth, response: Response, code: string): Promise<void> {
  const { token, user } = (await response.json()) as { token: string; user: { id: string } };
  try {
    const who = `${user.id}|${code}`;
    await limitAttempts(db, { kind: 'totp', who, most: 1, windowMs: codeLivesMs });
  } catch (error) {
    await (await auth.$context).internalAdapter.deleteSession(token);
    if (!(error instanceof TooManyAttempts)) throw error;
    throw asProductError(401, JSON.stringify({ code: 'INVALID_CODE' }));
  }
}

/** Apps show a code as two groups of three. */
const digits = (code: string): string => code.replace(/\s/g, '');
