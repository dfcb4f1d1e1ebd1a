import type { Router } from '#platform/server/http.ts';
import type { Log } from '#platform/server/logging.ts';
import { networkOf } from '#platform/server/network.ts';
import { changePassword, forgotPassword, resetPassword } from '../../contract.ts';
import { limitAttempts, limitMails } from '../attempts.ts';
import type { SessionOf } from '../sessions.ts';
import { insistOnPasswords } from '../sign-in-methods.ts';
import { givePassword, type PasswordParts, resetBy, sendReset } from './password-changes.ts';

export interface PasswordRouteParts extends PasswordParts {
  log: Log;
  sessionOf: SessionOf;
  /** How many mails about an account one network address may cause per hour. */
  mailsPerHour: number;
  /** How many times one network address may try a mailed link per minute. */
  resetsPerMinute: number;
}

export function registerPasswords(router: Router, parts: PasswordRouteParts): void {
  const { db, mail, log, oidc, passwords, sessionOf, mailsPerHour, resetsPerMinute } = parts;
  router.handle(changePassword, async ({ caller, body, request }) => {
    insistOnPasswords(oidc);
    await passwords.insistOnHaving(caller);
    await passwords.insistOn({ caller, request }, body.currentPassword, 'currentPassword');
    const sessionId = (await sessionOf(request))?.sessionId ?? 0;
    const who = { userId: Number(caller.userId), sessionId };
    return { endedSessions: await givePassword(parts, who, body.newPassword) };
  });
  router.handle(forgotPassword, async ({ body, request }) => {
    insistOnPasswords(oidc);
    await limitMails(db, request, { kind: 'reset', email: body.email, mostFromOne: mailsPerHour });
    // Not awaited: its duration would reveal whether there is such an account.
    sendReset(parts, body.email).catch((error) => log.error({ err: error }, 'a password reset was not sent'));
    return { mailed: mail.hasMailServer };
  });
  router.handle(resetPassword, async ({ body, request }) => {
    insistOnPasswords(oidc);
    await limitAttempts(db, {
      kind: 'reset',
      who: networkOf(request.ip),
      most: resetsPerMinute,
      windowMs: 60_000,
    });
    return { email: await resetBy(parts, body.token, body.password) };
  });
}
