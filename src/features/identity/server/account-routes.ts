import type { FastifyRequest } from 'fastify';
import type { OidcConfig } from '#platform/server/config.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  type Account,
  changeEmail,
  changeName,
  changePassword,
  confirmEmail,
  confirmTwoFactor,
  endOtherSessions,
  endSession,
  forgotPassword,
  getAccount,
  listSessions,
  proveEmail,
  renewRecoveryCodes,
  resetPassword,
  secondFactor,
  startTwoFactor,
  stopTwoFactor,
} from '../contract.ts';
import { keysOf } from '../rules/provider.ts';
import {
  type AccountParts,
  accountOf,
  askForEmail,
  confirmProof,
  giveName,
  givePassword,
  recordForUser,
  resetBy,
  sendReset,
} from './account.ts';
import { deleteProofs, deleteSession, deleteSessions, selectSessions } from './account-queries.ts';
import { limitAttempts } from './attempts.ts';
import type { Auth } from './auth.ts';
import { deviceWords } from './devices.ts';
import { sendEmailProof, trustPrefix } from './mailed-links.ts';
import { hasIdentity } from './provider-queries.ts';
import type { SessionOf } from './sessions.ts';
import { insistOnPasswords } from './sign-in-methods.ts';
import { beginTwoFactor, codesLeft, passSecondStep, renewCodes, turnOff, turnOn } from './two-factor.ts';

export interface AccountRouteParts extends AccountParts {
  auth: Auth;
  /** The identity provider, where there is one. */
  oidc: OidcConfig | undefined;
  sessionOf: SessionOf;
  /** How many mails about an account one network address may cause in an hour. */
  mailsPerHour: number;
}

const hour = 3_600_000;
/** Mails to one address in an hour: enough for somebody who waits, too few to fill a mailbox. */
const mailsToOneAddress = 5;

const userIdOf = (caller: Caller): number => Number(caller.userId);

export function registerAccount(router: Router, parts: AccountRouteParts): void {
  registerOwn(router, parts);
  registerSessions(router, parts);
  registerTwoFactor(router, parts);
  registerLinks(router, parts);
}

function registerOwn(router: Router, parts: AccountRouteParts): void {
  const { db, mail, oidc, passwords, sessionOf } = parts;
  const shown = async (userId: number): Promise<Account> => {
    const { name, email, emailVerified, createdAt, twoFactorOn } = await accountOf(db, userId);
    return {
      name,
      email,
      emailVerified,
      createdAt: createdAt.toISOString(),
      twoFactor: { on: twoFactorOn, recoveryCodesLeft: twoFactorOn ? await codesLeft(parts, userId) : null },
      signIn: {
        password: oidc?.only ? 'off' : (await passwords.lets(userId)) ? 'set' : 'none',
        provider: oidc
          ? { name: oidc.name, connected: await hasIdentity(db, userId, keysOf(oidc.issuer)) }
          : null,
      },
      hasMailServer: mail.hasMailServer,
    };
  };
  router.handle(getAccount, ({ caller, reply }) => {
    reply.header('cache-control', 'no-store');
    return shown(userIdOf(caller));
  });
  router.handle(changeName, async ({ caller, body }) => {
    await giveName(parts, userIdOf(caller), body.name);
    return shown(userIdOf(caller));
  });
  router.handle(changePassword, async ({ caller, body, request }) => {
    insistOnPasswords(oidc);
    await insistOnHaving(parts, caller);
    await passwords.insistOn({ caller, request }, body.currentPassword, 'currentPassword');
    const sessionId = (await sessionOf(request))?.sessionId ?? 0;
    const who = { userId: userIdOf(caller), sessionId };
    return { endedSessions: await givePassword(parts, who, body.newPassword) };
  });
  router.handle(changeEmail, async ({ caller, body, request }) => {
    await passwords.insistOn({ caller, request }, body.password);
    await limitMails(parts, request, body.email);
    await askForEmail(parts, userIdOf(caller), body.email);
    return { to: body.email, mailed: mail.hasMailServer };
  });
  router.handle(proveEmail, async ({ caller, request }) => {
    const userId = userIdOf(caller);
    const { email, emailVerified } = await accountOf(db, userId);
    if (emailVerified) throw new AppError('conflict', 'Your address is confirmed already.');
    await limitMails(parts, request, email);
    await db.transaction().execute((tx) => sendEmailProof(mail, tx, { userId, email, isChange: false }));
    mail.hurry();
    return { to: email, mailed: mail.hasMailServer };
  });
}

/** What is about a password, of somebody who has none, is refused whatever they confirm themselves with. */
async function insistOnHaving({ passwords, oidc }: AccountRouteParts, caller: Caller): Promise<void> {
  if (!oidc || (await passwords.lets(userIdOf(caller)))) return;
  throw new AppError('conflict', `You have no password here: you sign in through ${oidc.name}.`);
}

async function limitMails(
  { db, mailsPerHour }: AccountRouteParts,
  request: FastifyRequest,
  email: string,
): Promise<void> {
  await limitAttempts(db, { kind: 'mail-from', who: request.ip, most: mailsPerHour, windowMs: hour });
  await limitAttempts(db, { kind: 'mail-to', who: email, most: mailsToOneAddress, windowMs: hour });
}

function registerSessions(router: Router, { db, sessionOf }: AccountRouteParts): void {
  router.handle(listSessions, async ({ caller, request, reply }) => {
    reply.header('cache-control', 'no-store');
    const current = await sessionOf(request);
    const rows = await selectSessions(db, userIdOf(caller));
    return rows.map(({ id, address, userAgent, createdAt, lastSeenAt }) => ({
      id,
      ...deviceWords(userAgent),
      address: address || null,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      current: id === current?.sessionId,
    }));
  });
  router.handle(endSession, async ({ caller, params, request }) => {
    if ((await sessionOf(request))?.sessionId === params.id)
      throw new AppError('conflict', 'This is the session you are using. Sign out instead.');
    await db.transaction().execute(async (tx) => {
      if (!(await deleteSession(tx, userIdOf(caller), params.id)))
        throw new AppError('not_found', 'This session has ended already. Reload the list.');
      const line = { actor: caller.email, action: 'account.session_ended' };
      await recordForUser(tx, userIdOf(caller), line);
    });
    return { done: true as const };
  });
  router.handle(endOtherSessions, async ({ caller, request }) => {
    const current = await sessionOf(request);
    const userId = userIdOf(caller);
    const ended = await db.transaction().execute(async (tx) => {
      const count = await deleteSessions(tx, userId, current?.sessionId ?? null);
      await deleteProofs(tx, trustPrefix, userId);
      const line = { actor: caller.email, action: 'account.sessions_ended', details: { ended: count } };
      if (count > 0) await recordForUser(tx, userId, line);
      return count;
    });
    return { ended };
  });
}

function registerTwoFactor(router: Router, parts: AccountRouteParts): void {
  const { passwords } = parts;
  router.handle(startTwoFactor, async ({ caller, body, request, reply }) => {
    reply.header('cache-control', 'no-store');
    await insistOnHaving(parts, caller);
    await passwords.insistOn({ caller, request }, body.password);
    return beginTwoFactor(parts, { request, reply }, userIdOf(caller), body.password);
  });
  router.handle(confirmTwoFactor, async ({ caller, body, request, reply }) => {
    await turnOn(parts, { request, reply }, userIdOf(caller), body.code);
    return { done: true as const };
  });
  router.handle(stopTwoFactor, async ({ caller, body, request, reply }) => {
    await insistOnHaving(parts, caller);
    await passwords.insistOn({ caller, request }, body.password);
    await turnOff(parts, { request, reply }, userIdOf(caller), body.password);
    return { done: true as const };
  });
  router.handle(renewRecoveryCodes, async ({ caller, body, request, reply }) => {
    reply.header('cache-control', 'no-store');
    await insistOnHaving(parts, caller);
    await passwords.insistOn({ caller, request }, body.password);
    return { recoveryCodes: await renewCodes(parts, { request, reply }, userIdOf(caller), body.password) };
  });
  router.handle(secondFactor, async ({ body, request, reply }) => {
    await passSecondStep(parts, { request, reply }, body);
    return { done: true as const };
  });
}

function registerLinks(router: Router, parts: AccountRouteParts): void {
  const { mail, log, oidc } = parts;
  router.handle(forgotPassword, async ({ body, request }) => {
    insistOnPasswords(oidc);
    await limitMails(parts, request, body.email);
    // Not waited for: how long it takes would tell whether there is such an account.
    sendReset(parts, body.email).catch((error) => log.error({ err: error }, 'a password reset was not sent'));
    return { mailed: mail.hasMailServer };
  });
  router.handle(resetPassword, async ({ body }) => {
    insistOnPasswords(oidc);
    return { email: await resetBy(parts, body.token, body.password) };
  });
  router.handle(confirmEmail, async ({ body }) => ({ email: await confirmProof(parts, body.token) }));
}
