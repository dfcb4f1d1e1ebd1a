import type { SystemDb } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import { sendingAgainProblem } from '../rules.ts';
import type { MailConfig } from './mail-config.ts';
import { lockMail, type MailRow, makeDue } from './queries.ts';

/**
 * Makes a mail that was given up due once more, in the caller's transaction. Its row is locked
 * meanwhile: of two who ask at the same moment one is refused, and so is anybody who asks while it
 * is being sent.
 */
export async function sendAgain(
  tx: SystemDb,
  { smtpUrl }: MailConfig,
  id: number,
  workspaceId: number | null,
): Promise<MailRow> {
  const mail = await lockMail(tx, id, workspaceId);
  if (!mail) throw new AppError('not_found', 'There is no such mail. It may have been forgotten by now.');
  const problem = sendingAgainProblem(mail, smtpUrl !== undefined);
  if (problem !== null) throw new AppError('conflict', problem);
  return makeDue(tx, id);
}
