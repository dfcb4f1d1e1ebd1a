import {
  accountOf,
  endSession as endSessionOf,
  endSessions,
  recordForUser,
  sendEmailProof,
  sessionsOf,
} from '#features/sign-in/server/index.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import { AppError } from '#platform/shared/errors.ts';
import {
  type Account,
  changeEmail,
  changeName,
  confirmEmail,
  confirmTwoFactor,
  endOtherSessions,
  endSession,
  getAccount,
  listSessions,
  proveEmail,
  renewRecoveryCodes,
  startTwoFactor,
  stopTwoFactor,
} from '../contract.ts';
import { type AccountParts, askForEmail, confirmProof, giveName } from './account.ts';
import { deviceWords } from './devices.ts';
import { beginTwoFactor, renewCodes, turnOff, turnOn } from './two-factor.ts';

const userIdOf = (caller: Caller): number => Number(caller.userId);

export function registerAccount(router: Router, parts: AccountParts): void {
  registerOwn(router, parts);
  registerAddress(router, parts);
  registerSessions(router, parts);
  registerTwoFactor(router, parts);
}

function registerOwn(router: Router, parts: AccountParts): void {
  const { db, mail, signIn } = parts;
  const shown = async (userId: number): Promise<Account> => {
    const { name, email, emailVerified, createdAt, twoFactorOn } = await accountOf(db.system, userId);
    return {
      name,
      email,
      emailVerified,
      createdAt: createdAt.toISOString(),
      twoFactor: {
        on: twoFactorOn,
        recoveryCodesLeft: twoFactorOn ? await signIn.secondFactor.codesLeft(userId) : null,
      },
      signIn: await signIn.methodsOf(userId),
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
}

function registerAddress(router: Router, parts: AccountParts): void {
  const { db, mail, signIn } = parts;
  router.handle(changeEmail, async ({ caller, body, request }) => {
    await signIn.passwords.insistOn({ caller, request }, body.password);
    await signIn.limitMails(request, 'change', body.email);
    const sessionId = (await signIn.sessionOf(request))?.sessionId ?? 0;
    await askForEmail(parts, { userId: userIdOf(caller), sessionId }, body.email);
    return { to: body.email, mailed: mail.hasMailServer };
  });
  router.handle(proveEmail, async ({ caller, request }) => {
    const userId = userIdOf(caller);
    const { email, emailVerified } = await accountOf(db.system, userId);
    if (emailVerified) throw new AppError('conflict', 'Your address is confirmed already.');
    await signIn.limitMails(request, 'proof', email);
    await db.system
      .transaction()
      .execute((tx) => sendEmailProof(mail, tx, { userId, email, replaces: null }));
    mail.hurry();
    return { to: email, mailed: mail.hasMailServer };
  });
  router.handle(confirmEmail, async ({ caller, body }) => ({
    email: await confirmProof(parts, userIdOf(caller), body.token),
  }));
}

function registerSessions(router: Router, { db: { system: db }, signIn: { sessionOf } }: AccountParts): void {
  router.handle(listSessions, async ({ caller, request, reply }) => {
    reply.header('cache-control', 'no-store');
    const current = await sessionOf(request);
    const rows = await sessionsOf(db, userIdOf(caller));
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
      if (!(await endSessionOf(tx, userIdOf(caller), params.id)))
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
      const count = await endSessions(tx, userId, current?.sessionId ?? null);
      const line = { actor: caller.email, action: 'account.sessions_ended', details: { ended: count } };
      if (count > 0) await recordForUser(tx, userId, line);
      return count;
    });
    return { ended };
  });
}

function registerTwoFactor(router: Router, parts: AccountParts): void {
  const { passwords } = parts.signIn;
  router.handle(startTwoFactor, async ({ caller, body, request, reply }) => {
    reply.header('cache-control', 'no-store');
    await passwords.insistOnHaving(caller);
    await passwords.insistOn({ caller, request }, body.password);
    return beginTwoFactor(parts, { request, reply }, userIdOf(caller), body.password);
  });
  router.handle(confirmTwoFactor, async ({ caller, body, request, reply }) => {
    await turnOn(parts, { request, reply }, userIdOf(caller), body.code);
    return { done: true as const };
  });
  router.handle(stopTwoFactor, async ({ caller, body, request, reply }) => {
    await passwords.insistOnHaving(caller);
    await passwords.insistOn({ caller, request }, body.password);
    await turnOff(parts, { request, reply }, userIdOf(caller), body.password);
    return { done: true as const };
  });
  router.handle(renewRecoveryCodes, async ({ caller, body, request, reply }) => {
    reply.header('cache-control', 'no-store');
    await passwords.insistOnHaving(caller);
    await passwords.insistOn({ caller, request }, body.password);
    return { recoveryCodes: await renewCodes(parts, { request, reply }, userIdOf(caller), body.password) };
  });
}
