import { type Actor, recordAudit } from '#features/audit/server/index.ts';
import type { TrackedSends } from '#features/tracking/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { BounceMail, MailReading } from '../../contract.ts';
import type { BounceBook, BounceNews } from '../bounces.ts';
import { type MailRow, selectMail, updateReading } from './mail-queries.ts';

/** Mails as callers see them, with whose message came back. */
export async function shownMails(
  tx: TenantTx,
  sends: TrackedSends | undefined,
  workspaceId: number,
  rows: readonly MailRow[],
): Promise<BounceMail[]> {
  const found = rows.length > 0 ? await sends?.find(tx, workspaceId, rows) : [];
  const known = new Map(found?.map((send) => [`${send.mailingId}/${send.sendId}`, send]));
  return rows.map(({ id, mailingId, sendId, sender, subject, text, receivedAt, readAs, readBy }) => {
    const send = known.get(`${mailingId}/${sendId}`);
    return {
      ...{ id, from: sender, subject, text, readAs, readBy },
      to: send ? `${send.local}@${send.domain}` : null,
      contactId: send?.contactId ?? null,
      mailing: send?.mailing ?? null,
      receivedAt: receivedAt.toISOString(),
    };
  });
}

export async function needMail(tx: TenantTx, workspaceId: number, id: number, options?: { lock: boolean }) {
  const row = await selectMail(tx, workspaceId, id, options);
  if (row) return row;
  throw new AppError('not_found', 'This mail is not kept any more. Reload the list.');
}

const verdicts: Record<Exclude<MailReading, 'no_bounce'>, BounceNews['verdict']> = {
  hard: { class: 'hard', kind: 'other', fault: 'address', counts: true },
  soft: { class: 'soft', kind: 'other', fault: 'server', counts: true },
  complaint: 'complaint',
};

/** Somebody says what a mail means. */
export async function readByHand(
  tx: TenantTx,
  { workspaceId, email }: Actor,
  book: BounceBook,
  id: number,
  as: MailReading,
): Promise<MailRow> {
  const row = await needMail(tx, workspaceId, id, { lock: true });
  if (row.readAs !== null)
    throw new AppError('conflict', 'Somebody has said already what this mail means. Reload the list.');
  const { mailingId, sendId, subject } = row;
  await updateReading(tx, workspaceId, id, { as, by: email });
  if (as !== 'no_bounce')
    await book.note(tx, workspaceId, [
      { mailingId, sendId, verdict: verdicts[as], source: 'review', said: subject },
    ]);
  await recordAudit(tx, workspaceId, {
    actor: email,
    action: 'bounce_mail.read',
    subject: `bounce_mail:${id}`,
    details: { name: subject || 'a mail without a subject', meaning: as },
  });
  return { ...row, readAs: as, readBy: email };
}
